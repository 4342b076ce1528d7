//! What only the one who saves can say, as JSON or markdown; everything else is captured.
//!
//! As JSON, one object, every key optional and no other key known:
//!
//! | key | what | value |
//! |---|---|---|
//! | `task` | what the work is for; names the file where no plan does | text of one line |
//! | `phase`, `status` | phase or stage, and how it stands | text of one line |
//! | `context` | how full the context was: `62%` | text of one line |
//! | `artifact` | what is worked on, relative to the project (thunderkit) | path |
//! | `completed`, `in_progress`, `blocked` | tasks | list of texts, or one text |
//! | `validation` | what was run to see that it works, and what it said | list of texts, or one text |
//! | `decisions`, `blockers`, `next`, `open`, `notes` | the same words as sections | list of texts, or one text |
//! | `lanes` | what the worktrees do not say (thunderkit) | list of objects, see [`LaneWord`] |
//!
//! As markdown, each `## ` section goes where its name says (Completed, In Progress, Blocked, Validation, Key Decisions
//! Made, Blockers, Next Steps, Open, Session Notes), word for word. What stands elsewhere is kept as notes.

use crate::policy::json::{Data, Json};

/// A section that a person fills.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Topic {
    /// Tasks that are done.
    Completed,
    /// Tasks that are begun.
    InProgress,
    /// Tasks that wait.
    Blocked,
    /// What was run to see that it works.
    Validation,
    /// What was decided.
    Decisions,
    /// What is in the way.
    Blockers,
    /// What to do next, in order.
    Next,
    /// What nobody knows yet.
    Open,
    /// Anything else.
    Notes,
}

impl Topic {
    /// All of them: the JSON key, and the section names they are recognised by.
    pub(super) const ALL: [(Self, &'static str, &'static [&'static str]); 9] = [
        (Self::Completed, "completed", &["completed", "completed tasks", "done"]),
        (Self::InProgress, "in_progress", &["in progress", "in progress (owner)"]),
        (Self::Blocked, "blocked", &["blocked"]),
        (Self::Validation, "validation", &["validation", "verification"]),
        (Self::Decisions, "decisions", &["key decisions made", "key decisions", "decisions"]),
        (Self::Blockers, "blockers", &["blockers"]),
        (Self::Next, "next", &["next steps", "next step", "next action", "next actions", "next"]),
        (Self::Open, "open", &["open", "open questions", "open unknowns", "open items", "unknowns"]),
        (Self::Notes, "notes", &["session notes", "notes"]),
    ];
}

impl Topic {
    /// Its key in JSON.
    pub(super) fn key(self) -> &'static str {
        Self::ALL.iter().find(|(own, ..)| *own == self).map_or("notes", |(_, key, _)| key)
    }
}

/// What was said about a topic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body {
    /// One text each; none: it was said that there is nothing.
    Items(Vec<String>),
    /// Markdown, word for word.
    Text(String),
}

/// What was said about one lane.
///
/// As JSON: `id` (needed), `harness`, `session_id`, `class`, `model` (a key of the catalog), `status` (`running`,
/// `blocked`, `completed`, `unknown`), `origin` (`owned`, `unknown`), `artifact`, `reason`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LaneWord {
    /// Which lane.
    pub id: String,
    /// Its harness.
    pub harness: Option<String>,
    /// Its session, to be verified.
    pub session_id: Option<String>,
    /// The class of its model.
    pub class: Option<String>,
    /// The requested model's key.
    pub model: Option<String>,
    /// How it stands.
    pub status: Option<String>,
    /// Whose routine it runs.
    pub origin: Option<String>,
    /// What it works on.
    pub artifact: Option<String>,
    /// Why it stands so.
    pub reason: Option<String>,
}

/// Everything that was said.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Narrative {
    /// What the work is for.
    pub task: Option<String>,
    /// Phase or stage.
    pub phase: Option<String>,
    /// How it stands.
    pub status: Option<String>,
    /// How full the context was.
    pub context: Option<String>,
    /// What is worked on, relative to the project.
    pub artifact: Option<String>,
    /// What was said about lanes.
    pub lanes: Vec<LaneWord>,
    pub(super) topics: Vec<(Topic, Body)>,
}

impl Body {
    /// As separate texts: markdown by its top-level bullets.
    pub fn items(&self) -> Vec<String> {
        let text = match self {
            Self::Items(items) => return items.clone(),
            Self::Text(text) => text,
        };
        let mut items: Vec<String> = Vec::new();
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            match (line.strip_prefix("- ").or_else(|| line.strip_prefix("* ")), items.last_mut()) {
                (None, Some(last)) => {
                    last.push('\n');
                    last.push_str(line);
                }
                (bullet, _) => items.push(bullet.unwrap_or(line).to_owned()),
            }
        }
        items
    }

    /// As one text.
    pub fn whole(&self) -> String {
        match self {
            Self::Items(items) => items.join("\n"),
            Self::Text(text) => text.clone(),
        }
    }
}

impl Narrative {
    /// Reads JSON where the text begins with `{` or `[` or is JSON as a whole, else markdown.
    ///
    /// # Errors
    /// What cannot be used, with its line, and what to do.
    pub fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim_start_matches('\u{feff}');
        let is_json = text.trim_start().starts_with(['{', '[']) || Json::parse(text.as_bytes()).is_ok();
        let narrative = match is_json {
            true => Self::of_json(text)?,
            // The file that is made has one kind of line end.
            false => Self::of_markdown(&text.replace("\r\n", "\n").replace('\r', "\n")),
        };
        if let Some((name, _)) = narrative.texts().into_iter().find(|(_, text)| text.contains('\0')) {
            return Err(format!(
                "`{name}` of the narrative holds a NUL byte, and is no text with it: take it out"
            ));
        }
        match narrative.is_empty() {
            true => Err("the narrative says nothing: give what was done, decided and is next".into()),
            false => Ok(narrative),
        }
    }

    /// What was said about a topic.
    pub fn body(&self, topic: Topic) -> Option<&Body> {
        self.topics.iter().find(|(own, _)| *own == topic).map(|(_, body)| body)
    }

    /// What was said under a JSON key, one text for each item; `None` where nothing was.
    pub fn texts_of(&self, key: &str) -> Option<Vec<String>> {
        let topic = Topic::ALL.iter().find(|(_, name, _)| *name == key);
        match topic {
            Some((topic, ..)) => self.body(*topic).map(Body::items),
            None => self.line(key).map(|line| vec![line.to_owned()]),
        }
    }

    /// A text of one line, by its JSON key.
    pub(super) fn line(&self, key: &str) -> Option<&str> {
        match key {
            "task" => self.task.as_deref(),
            "phase" => self.phase.as_deref(),
            "status" => self.status.as_deref(),
            "context" => self.context.as_deref(),
            "artifact" => self.artifact.as_deref(),
            _ => None,
        }
    }

    /// The same, to be changed.
    pub(super) fn line_mut(&mut self, key: &str) -> Option<&mut Option<String>> {
        match key {
            "task" => Some(&mut self.task),
            "phase" => Some(&mut self.phase),
            "status" => Some(&mut self.status),
            "context" => Some(&mut self.context),
            "artifact" => Some(&mut self.artifact),
            _ => None,
        }
    }

    /// Every text that was said, by its JSON key.
    pub(super) fn texts(&self) -> Vec<(&'static str, String)> {
        let lines = ["task", "phase", "status", "context", "artifact"];
        let mut texts: Vec<_> =
            lines.into_iter().filter_map(|name| Some((name, self.line(name)?.to_owned()))).collect();
        texts.extend(self.topics.iter().map(|(topic, body)| (topic.key(), body.whole())));
        let reasons = self.lanes.iter().filter_map(|lane| lane.reason.clone());
        texts.extend(reasons.map(|reason| ("lanes", reason)));
        texts
    }

    fn is_empty(&self) -> bool {
        self.topics.is_empty() && self.task.is_none() && self.phase.is_none() && self.lanes.is_empty()
    }

    fn of_json(text: &str) -> Result<Self, String> {
        let json = Json::parse(text.as_bytes()).map_err(|why| format!("the narrative is not JSON: {why}"))?;
        let mut narrative = Self::default();
        let Some(members) = json.members() else {
            return Err("the narrative is JSON, but no object: give one with the keys of `moorline save --help`, or markdown".into());
        };
        for member in members {
            let line = format!("line {}: `{}`", member.key_at.line, member.key);
            let key = member.key.as_str();
            if let Some(own) = narrative.line_mut(key) {
                *own = Some(one_line(&member.value, &line)?);
                continue;
            }
            match key {
                "lanes" => {
                    let lanes = member.value.items().ok_or_else(|| format!("{line} must be a list"))?;
                    narrative.lanes = lanes.iter().map(lane).collect::<Result<_, _>>()?;
                }
                _ => {
                    let topic = Topic::ALL.iter().find(|(_, name, _)| *name == key);
                    let (topic, ..) = topic.ok_or_else(|| {
                        format!("{line} is not known: `moorline save --help` says which keys there are")
                    })?;
                    narrative.topics.push((*topic, Body::Items(texts(&member.value, &line)?)));
                }
            }
        }
        Ok(narrative)
    }

    fn of_markdown(text: &str) -> Self {
        let mut narrative = Self::default();
        let mut notes = String::new();
        for section in sections(text) {
            let name = section.name.trim().trim_end_matches(':').to_lowercase();
            let topic = Topic::ALL.iter().find(|(_, _, names)| names.contains(&name.as_str()));
            match topic.filter(|(topic, ..)| narrative.body(*topic).is_none() && *topic != Topic::Notes) {
                Some((topic, ..)) => {
                    narrative.topics.push((*topic, Body::Text(section.body.trim_matches('\n').to_owned())));
                }
                None => {
                    if !section.name.is_empty() && !Topic::ALL[8].2.contains(&name.as_str()) {
                        notes.push_str(&format!("### {}\n", section.name));
                    }
                    notes.push_str(section.body);
                }
            }
        }
        if !notes.trim().is_empty() {
            narrative.topics.push((Topic::Notes, Body::Text(notes.trim_matches('\n').to_owned())));
        }
        narrative
    }
}

/// A `## ` section of a markdown text; the first one has no name.
struct Section<'a> {
    name: &'a str,
    body: &'a str,
}

/// Splits at `## ` headings outside fences.
fn sections(text: &str) -> Vec<Section<'_>> {
    let mut out = vec![Section { name: "", body: "" }];
    let (mut at, mut from, mut fence) = (0, 0, None);
    for line in text.split_inclusive('\n') {
        let bare = line.trim();
        let mark = ["```", "~~~"].into_iter().find(|mark| bare.starts_with(mark));
        match (fence, mark) {
            (None, Some(mark)) => fence = Some(mark),
            (Some(open), Some(mark)) if open == mark => fence = None,
            _ => {}
        }
        if let (None, Some(name)) = (fence, line.strip_prefix("## ")) {
            if let Some(last) = out.last_mut() {
                last.body = &text[from..at];
            }
            from = at + line.len();
            out.push(Section { name: name.trim(), body: "" });
        }
        at += line.len();
    }
    if let Some(last) = out.last_mut() {
        last.body = &text[from..];
    }
    out
}

fn lane(json: &Json) -> Result<LaneWord, String> {
    let line = json.at.line;
    let members = json.members().ok_or_else(|| format!("line {line}: a lane is an object with an `id`"))?;
    let mut word = LaneWord::default();
    for member in members {
        let place = format!("line {}: `{}`", member.key_at.line, member.key);
        let text = one_line(&member.value, &place)?;
        match member.key.as_str() {
            "id" => word.id = text,
            "harness" => word.harness = Some(text),
            "session_id" => word.session_id = Some(text),
            "class" => word.class = Some(text),
            "model" => word.model = Some(text),
            "status" => word.status = Some(text),
            "origin" => word.origin = Some(text),
            "artifact" => word.artifact = Some(text),
            "reason" => word.reason = Some(text),
            _ => return Err(format!("{place} is not known of a lane")),
        }
    }
    match word.id.is_empty() {
        true => Err(format!("line {line}: a lane needs its `id`")),
        false => Ok(word),
    }
}

fn one_line(json: &Json, line: &str) -> Result<String, String> {
    match json.text().map(str::trim) {
        Some(text) if !text.is_empty() && !text.contains(['\n', '\r']) => Ok(text.to_owned()),
        _ => Err(format!("{line} must be a text of one line")),
    }
}

fn texts(json: &Json, line: &str) -> Result<Vec<String>, String> {
    let text = |json: &Json| json.text().filter(|text| !text.trim().is_empty()).map(str::to_owned);
    let texts = match &json.data {
        Data::Text(_) => text(json).map(|text| vec![text]),
        Data::List(items) => items.iter().map(text).collect(),
        _ => None,
    };
    texts.ok_or_else(|| format!("{line} must be a text or a list of texts, none of them blank"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_taken_key_by_key_and_nothing_else() {
        let said =
            Narrative::parse(r##"{"task": "Rotate tokens", "next": "one", "open": [], "notes": ["# a"]}"##)
                .unwrap();
        assert_eq!(said.task.as_deref(), Some("Rotate tokens"), "a text of one line");
        assert_eq!(
            said.body(Topic::Next),
            Some(&Body::Items(vec!["one".into()])),
            "one text is a list of one"
        );
        assert_eq!(said.body(Topic::Open), Some(&Body::Items(vec![])), "nothing, because it was said");
        assert_eq!(said.body(Topic::Blockers), None, "not said");
        for (text, word) in [
            (r#"{"nxt": "a"}"#, "not known"),
            (r#"{"next": "a", "next": "b"}"#, "JSON"),
            (r#"{"next": 3}"#, "text"),
            (r#"{"next": ["a", " "]}"#, "blank"),
            (r#"{"task": "a\nb"}"#, "one line"),
            (r#"{"lanes": [{"harness": "claude"}]}"#, "id"),
            ("{}", "nothing"),
            ("{", "JSON"),
            (r#" ["x"]"#, "no object"),
            ("[x", "JSON"),
            ("\"x\"", "no object"),
            ("3", "no object"),
            ("  \n", "nothing"),
        ] {
            let why = Narrative::parse(text).unwrap_err();
            assert!(why.contains(word), "{text} is refused for its {word}: {why}");
        }
    }

    #[test]
    fn markdown_goes_where_its_headings_say_word_for_word() {
        let text = "Loose words.\n\n## Next Steps\n1. Water\n   - deep\n\n## Weather\nRain\n```\n## Next Steps\n```\n";
        let said = Narrative::parse(text).unwrap();
        assert_eq!(said.body(Topic::Next), Some(&Body::Text("1. Water\n   - deep".into())), "as it stands");
        assert_eq!(
            said.body(Topic::Notes),
            Some(&Body::Text("Loose words.\n\n### Weather\nRain\n```\n## Next Steps\n```".into())),
            "what has no place of its own is kept, and a fence is no heading"
        );
    }
}
