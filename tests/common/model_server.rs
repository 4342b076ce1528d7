//! A model service on the loopback interface, for running real clients without a network or a key.
//!
//! It speaks Anthropic's Messages and OpenAI's Responses and Chat Completions, each whole and as a stream. Every
//! answer says how many turns of a person it was sent and what the last one was (`MOCK-REPLY turns=2 last=go on`),
//! which proves that a resumed session really sent what went before. It can be told to refuse, to hold its answers
//! back until it is let go, and (Messages) to have the client run one of its tools.
//!
//! Plain `std`: one thread accepts, one more serves each connection, and every connection carries one request.

#![allow(dead_code, reason = "each test uses a part of it")]

use std::io::{self, BufRead, BufReader, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use serde_json::{Value, json};

#[path = "model_wire.rs"]
mod wire;

use wire::Api;

/// How long a held answer waits and a test waits for a request before both give up: a bound, never a pace.
const PATIENCE: Duration = Duration::from_secs(60);

/// One request for an answer, as it came in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// The model that was asked for.
    pub model: String,
    /// How many turns of a person were sent.
    pub turns: usize,
    /// The text of the last of them.
    pub last: String,
    /// What the tools gave that the client ran so far.
    pub results: Vec<String>,
}

/// A tool that the client is to run.
#[derive(Debug, Clone)]
struct Call {
    when: String,
    name: String,
    input: Value,
}

/// The service; it ends when it is dropped.
pub struct ModelServer {
    address: SocketAddr,
    shared: Arc<Shared>,
    accepting: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    ended: AtomicBool,
}

#[derive(Default)]
struct State {
    asked: Vec<Asked>,
    refuse_with: Option<u16>,
    held: bool,
    call: Option<Call>,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state());
        self.changed.notify_all();
    }

    /// Waits until the state is so; `false` when patience ended first.
    fn wait_until(&self, so: impl Fn(&State) -> bool) -> bool {
        let waited = self.changed.wait_timeout_while(self.state(), PATIENCE, |state| !so(state));
        !waited.unwrap_or_else(PoisonError::into_inner).1.timed_out()
    }
}

impl ModelServer {
    /// Starts it on a free port of 127.0.0.1.
    pub fn start() -> Self {
        let listener =
            TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("the loopback interface has a free port");
        let address = listener.local_addr().expect("a bound socket has an address");
        let shared = Arc::<Shared>::default();
        let serving = Arc::clone(&shared);
        let accepting = std::thread::spawn(move || accept(&listener, &serving));
        Self { address, shared, accepting: Some(accepting) }
    }

    /// What clients take as their base URL.
    pub fn base_url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Refuses every request from now on with this status; `None` answers again.
    pub fn refuse_with(&self, status: Option<u16>) {
        self.shared.change(|state| state.refuse_with = status);
    }

    /// Holds every answer back from now on.
    pub fn hold(&self) {
        self.shared.change(|state| state.held = true);
    }

    /// Lets held answers go.
    pub fn release(&self) {
        self.shared.change(|state| state.held = false);
    }

    /// Has the client run a tool of its own when a person's last turn is this one, once; and holds every answer back
    /// after that, so that the session is still at work.
    pub fn call_then_hold(&self, when: &str, name: &str, input: Value) {
        let call = Call { when: when.to_owned(), name: name.to_owned(), input };
        self.shared.change(|state| state.call = Some(call));
    }

    /// Waits until a tool has run, and gives what it gave.
    pub fn wait_for_result(&self) -> String {
        let result = |state: &State| state.asked.iter().find_map(|asked| asked.results.last().cloned());
        assert!(
            self.shared.wait_until(|state| result(state).is_some()),
            "a tool was run: {:?}",
            self.asked()
        );
        result(&self.shared.state()).expect("one was")
    }

    /// What was asked so far, in order.
    pub fn asked(&self) -> Vec<Asked> {
        self.shared.state().asked.clone()
    }

    /// Waits until a question came in whose last turn of a person holds this text. Clients also ask for titles and
    /// the like, so a count does not tell.
    pub fn wait_for_turn(&self, last: &str) {
        let came = |state: &State| state.asked.iter().any(|asked| asked.last.contains(last));
        assert!(self.shared.wait_until(came), "{last:?} was asked in time: {:?}", self.asked());
    }

    /// Waits until at least `count` requests came in.
    pub fn wait_for(&self, count: usize) {
        assert!(self.shared.wait_until(|state| state.asked.len() >= count), "request {count} came in time");
    }
}

impl Drop for ModelServer {
    fn drop(&mut self) {
        self.shared.ended.store(true, Ordering::SeqCst);
        self.release();
        // The accepting thread looks at `ended` when a connection comes: this one.
        let _ = TcpStream::connect(self.address);
        if let Some(accepting) = self.accepting.take() {
            let _ = accepting.join();
        }
    }
}

fn accept(listener: &TcpListener, shared: &Arc<Shared>) {
    for stream in listener.incoming() {
        if shared.ended.load(Ordering::SeqCst) {
            return;
        }
        let Ok(stream) = stream else { continue };
        let shared = Arc::clone(shared);
        // A client that hangs up is its own affair.
        std::thread::spawn(move || {
            let _ = serve(stream, &shared);
        });
    }
}

/// Reads one request and answers it.
fn serve(stream: TcpStream, shared: &Shared) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut first = String::new();
    if reader.read_line(&mut first)? == 0 {
        return Ok(());
    }
    let mut words = first.split_whitespace();
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let body = body(&mut reader)?;
    let path = target.split('?').next().unwrap_or_default();
    let Some(api) = Api::of(path).filter(|_| method == "POST") else {
        return whole(stream, 200, &wire::aside(path));
    };
    let asked = Asked::from(api, &body);
    shared.change(|state| state.asked.push(asked.clone()));
    if let Some(status) = shared.state().refuse_with {
        let error = json!({"type": "invalid_request_error", "message": "refused by the test"});
        let error = json!({"type": "error", "error": error});
        return whole(stream, status, &error);
    }
    let mut call = None;
    shared.change(|state| {
        call = state.call.take_if(|call| body["tools"].is_array() && asked.last == call.when);
        state.held |= call.is_some();
    });
    if let Some(call) = call {
        return streamed(stream, &api.call(&asked.model, &call.name, &call.input));
    }
    shared.wait_until(|state| !state.held);
    let text = format!("MOCK-REPLY turns={} last={}", asked.turns, asked.last);
    match body["stream"] == true {
        true => streamed(stream, &api.events(&asked.model, &text)),
        false => whole(stream, 200, &api.whole(&asked.model, &text)),
    }
}

/// The JSON after the head, by its length or in chunks.
fn body(reader: &mut impl BufRead) -> io::Result<Value> {
    let (mut length, mut chunked) = (0, false);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.trim().parse().unwrap_or(0),
            "transfer-encoding" => chunked = value.trim().eq_ignore_ascii_case("chunked"),
            _ => {}
        }
    }
    let mut bytes = vec![0; length];
    reader.read_exact(&mut bytes)?;
    while chunked {
        let mut size = String::new();
        reader.read_line(&mut size)?;
        let size = usize::from_str_radix(size.trim(), 16).unwrap_or(0);
        let mut chunk = vec![0; size + 2];
        reader.read_exact(&mut chunk)?;
        bytes.extend_from_slice(&chunk[..size]);
        chunked = size > 0;
    }
    Ok(serde_json::from_slice(&bytes).unwrap_or(Value::Null))
}

impl Asked {
    fn from(api: Api, body: &Value) -> Self {
        let messages = api.messages(body);
        let persons: Vec<_> = messages
            .iter()
            .filter(|message| message["role"] == "user")
            .map(|message| typed(&text_of(&message["content"])))
            .filter(|text| !text.is_empty())
            .collect();
        let model = body["model"].as_str().unwrap_or("mock-model").to_owned();
        let parts = messages.iter().filter_map(|message| message["content"].as_array()).flatten();
        let results =
            parts.filter(|part| part["type"] == "tool_result").map(|part| text_of(&part["content"]));
        let last = persons.last().cloned().unwrap_or_default();
        Self { model, turns: persons.len(), last, results: results.collect() }
    }
}

fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            parts.iter().filter_map(|part| part["text"].as_str()).collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    }
}

/// The blocks that clients put around what a person typed.
const AROUND: &[&str] = &[
    "system-reminder",
    "environment_context",
    "user_instructions",
    "permissions instructions",
    "skills_instructions",
    "apps_instructions",
    "plugins_instructions",
];

/// What a person typed: without the blocks that the client puts around it.
fn typed(text: &str) -> String {
    let mut rest = text.to_owned();
    for name in AROUND {
        let (open, close) = (format!("<{name}>"), format!("</{name}>"));
        while let Some(begin) = rest.find(&open) {
            let end = rest[begin..].find(&close).map_or(rest.len(), |end| begin + end + close.len());
            rest.replace_range(begin..end, "");
        }
    }
    rest.trim().to_owned()
}

fn whole(mut stream: TcpStream, status: u16, body: &Value) -> io::Result<()> {
    let body = body.to_string();
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 {status} Mock\r\ncontent-type: application/json\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
    )
}

/// The same answer as the stream of events that a client asked for.
fn streamed(mut stream: TcpStream, events: &[wire::Event]) -> io::Result<()> {
    write!(stream, "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n")?;
    for event in events {
        if let Some(name) = &event.name {
            writeln!(stream, "event: {name}")?;
        }
        write!(stream, "data: {}\n\n", event.data)?;
    }
    stream.flush()
}
