//! What a question and an answer look like in each of the three services that clients know.

use serde_json::{Value, json};

/// A service that clients ask for answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Api {
    /// Anthropic's Messages.
    Messages,
    /// OpenAI's Responses.
    Responses,
    /// OpenAI's Chat Completions, which others speak as well.
    Completions,
}

/// One event of a stream.
pub struct Event {
    /// Its name, where the service names events.
    pub name: Option<String>,
    /// Its data on one line.
    pub data: String,
}

impl Event {
    /// An event that is named as its data's kind.
    fn named(data: Value) -> Self {
        Self { name: data["type"].as_str().map(str::to_owned), data: data.to_string() }
    }
}

/// What is asked for beside answers: how long a text is, which models there are, and whatever else.
pub fn aside(path: &str) -> Value {
    if path.ends_with("/count_tokens") {
        return json!({"input_tokens": 42});
    }
    if path.trim_end_matches('/').ends_with("/models") {
        let model = |id: &str| json!({"id": id, "object": "model", "created": 0, "context_length": 200_000});
        return json!({"object": "list", "data": [model("mock-model"), model("mock-model-2")], "has_more": false});
    }
    json!({})
}

impl Api {
    /// The service of a path.
    pub fn of(path: &str) -> Option<Self> {
        let services = [
            ("/messages", Self::Messages),
            ("/responses", Self::Responses),
            ("/chat/completions", Self::Completions),
        ];
        services.into_iter().find(|(ending, _)| path.ends_with(ending)).map(|(_, api)| api)
    }

    /// The talk so far, as a question brings it.
    pub fn messages(self, body: &Value) -> Vec<Value> {
        match self {
            Self::Messages | Self::Completions => body["messages"].as_array().cloned().unwrap_or_default(),
            Self::Responses => match &body["input"] {
                Value::Array(items) => items.clone(),
                text => vec![json!({"role": "user", "content": text})],
            },
        }
    }

    /// A whole answer.
    pub fn whole(self, model: &str, text: &str) -> Value {
        match self {
            Self::Messages => message(model, text, json!("end_turn")),
            Self::Responses => response(model, "completed", vec![item(text, "completed")]),
            Self::Completions => {
                let message = json!({"role": "assistant", "content": text});
                let choice = json!({"index": 0, "message": message, "finish_reason": "stop"});
                completion("chat.completion", model, vec![choice], true)
            }
        }
    }

    /// An answer that has the client run one of its tools, as a stream; only Messages is asked for it.
    pub fn call(self, model: &str, name: &str, input: &Value) -> Vec<Event> {
        assert_eq!(self, Self::Messages, "no other service calls tools here");
        let tool = json!({"type": "tool_use", "id": unique("toolu"), "name": name, "input": {}});
        let json = json!({"type": "input_json_delta", "partial_json": input.to_string()});
        let events = message_events(model, &tool, &json, "tool_use");
        events.into_iter().map(Event::named).collect()
    }

    /// The same answer as a stream.
    pub fn events(self, model: &str, text: &str) -> Vec<Event> {
        match self {
            Self::Messages => {
                let (block, delta) =
                    (json!({"type": "text", "text": ""}), json!({"type": "text_delta", "text": text}));
                message_events(model, &block, &delta, "end_turn").into_iter().map(Event::named).collect()
            }
            Self::Responses => responses_events(model, text).into_iter().map(Event::named).collect(),
            Self::Completions => {
                let chunk = |delta: Value, reason: Value| {
                    let choice = json!({"index": 0, "delta": delta, "finish_reason": reason});
                    completion("chat.completion.chunk", model, vec![choice], false).to_string()
                };
                let data = [
                    chunk(json!({"role": "assistant", "content": ""}), Value::Null),
                    chunk(json!({"content": text}), Value::Null),
                    chunk(json!({}), json!("stop")),
                    completion("chat.completion.chunk", model, vec![], true).to_string(),
                    "[DONE]".to_owned(),
                ];
                data.into_iter().map(|data| Event { name: None, data }).collect()
            }
        }
    }
}

/// A name that no other answer has.
fn unique(prefix: &str) -> String {
    let number = std::hash::BuildHasher::hash_one(&std::hash::RandomState::new(), prefix);
    format!("{prefix}_{number:016x}")
}

fn message(model: &str, text: &str, stop_reason: Value) -> Value {
    let content = if text.is_empty() { json!([]) } else { json!([{"type": "text", "text": text}]) };
    json!({
        "id": unique("msg"),
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": content,
        "stop_reason": stop_reason,
        "stop_sequence": null,
        "usage": {
            "input_tokens": 10,
            "output_tokens": 5,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0
        }
    })
}

/// A message with one block, as a stream.
fn message_events(model: &str, block: &Value, delta: &Value, stop_reason: &str) -> Vec<Value> {
    vec![
        json!({"type": "message_start", "message": message(model, "", Value::Null)}),
        json!({"type": "content_block_start", "index": 0, "content_block": block}),
        json!({"type": "content_block_delta", "index": 0, "delta": delta}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({
            "type": "message_delta",
            "delta": {"stop_reason": stop_reason, "stop_sequence": null},
            "usage": {"output_tokens": 5}
        }),
        json!({"type": "message_stop"}),
    ]
}

fn item(text: &str, status: &str) -> Value {
    let content = if text.is_empty() { json!([]) } else { json!([part(text)]) };
    json!({"type": "message", "id": "msg_1", "status": status, "role": "assistant", "content": content})
}

fn part(text: &str) -> Value {
    json!({"type": "output_text", "text": text, "annotations": []})
}

fn response(model: &str, status: &str, output: Vec<Value>) -> Value {
    let usage = json!({
        "input_tokens": 10,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": 5,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": 15
    });
    let usage = if output.is_empty() { Value::Null } else { usage };
    json!({
        "id": unique("resp"),
        "object": "response",
        "created_at": 0,
        "status": status,
        "model": model,
        "output": output,
        "usage": usage
    })
}

fn responses_events(model: &str, text: &str) -> Vec<Value> {
    let at = |kind: &str, more: Value| {
        let mut event = json!({"type": kind, "item_id": "msg_1", "output_index": 0, "content_index": 0});
        let members = more.as_object().expect("an object").clone();
        event.as_object_mut().expect("an object").extend(members);
        event
    };
    let done = item(text, "completed");
    vec![
        json!({"type": "response.created", "response": response(model, "in_progress", vec![])}),
        json!({"type": "response.output_item.added", "output_index": 0, "item": item("", "in_progress")}),
        at("response.content_part.added", json!({"part": part("")})),
        at("response.output_text.delta", json!({"delta": text})),
        at("response.output_text.done", json!({"text": text})),
        json!({"type": "response.output_item.done", "output_index": 0, "item": done}),
        json!({"type": "response.completed", "response": response(model, "completed", vec![done])}),
    ]
}

fn completion(kind: &str, model: &str, choices: Vec<Value>, counted: bool) -> Value {
    let mut completion =
        json!({"id": unique("chatcmpl"), "object": kind, "created": 0, "model": model, "choices": choices});
    if counted {
        completion["usage"] = json!({"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15});
    }
    completion
}
