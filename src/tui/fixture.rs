//! A made-up project for tests: five handoffs, their reports, and answers to every effect, so that keys can be
//! played against the real core and the real drawing.

pub mod save;
pub mod shelf;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use chrono::DateTime;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::action::{Action, Answer, Earlier, Key, Proposal, Refused, Text};
use super::app::{self, State};
use super::effect::{Effect, RemoteOrder};
use super::keymap::{self, Keymap};
use super::theme::{Theme, UNICODE};
use super::view;
use crate::check::*;
use crate::disk::FileId;
use crate::handoff::age::Clock;
use crate::handoff::*;
use crate::harness::Owner;
use crate::place::{Found, Listed, Scope, Skipped, State as Putting};
use crate::repo::Upstream;
use crate::resume::{Attempt, Outcome as Became};

/// 25 March 2026, 16:10 UTC, on a machine one hour east.
pub const CLOCK: Clock = Clock { unix: 1_774_455_000, east: 3600 };

const PROJECT: &str = "/home/ada/src/api";

fn moment(text: &str) -> Moment {
    Moment::Instant(DateTime::parse_from_rfc3339(text).unwrap())
}

fn inert(text: &str) -> Inert {
    Inert::from(text)
}

fn listed(relative: &str, scope: Scope, family: Family, saved: &str) -> Listed {
    let root = if scope == Scope::Global { "/home/ada/.claude/handoffs" } else { PROJECT };
    let mut handoff =
        Handoff::empty(family, if family == Family::Thunderkit { Format::Yaml } else { Format::Markdown });
    handoff.readable = true;
    handoff.lines = (1, 80);
    Listed {
        id: format!("{:0>10}", relative.len()),
        handoff,
        path: Path::new(root).join(relative),
        relative: PathBuf::from(relative),
        root: PathBuf::from(root),
        scope,
        state: Putting::Live,
        bytes: 4_200,
        file: FileId { device: 1, inode: relative.len() as u64 },
        modified: CLOCK.unix,
        saved_at: SavedAt { moment: moment(saved), written: inert(saved), source: ClockSource::Declared },
        edited_after: false,
        twins: Vec::new(),
        origin: None,
        part: None,
        read_from: None,
    }
}

fn auth() -> Listed {
    let mut row =
        listed("plans/260325-auth/HANDOFF.md", Scope::Plan, Family::Theonekit, "2026-03-25T14:10:00+01:00");
    let handoff = &mut row.handoff;
    handoff.title = Some(inert("Session handoff: auth"));
    handoff.phase = Some(inert("Phase 3 — Auth API"));
    handoff.next_actions = vec![inert("Rotate refresh tokens in the session store")];
    handoff.branch = BranchName::parse("feat/auth").ok();
    handoff.commit = Revision::parse("1a2b3c4").ok();
    row
}

fn schema() -> Listed {
    let mut row = listed(
        "plans/260323-db-schema/HANDOFF.md",
        Scope::Plan,
        Family::Theonekit,
        "2026-03-21T09:00:00+01:00",
    );
    row.handoff.phase = Some(inert("Phase 2 — DB"));
    row.handoff.blockers = vec![inert("waiting for the new cluster")];
    row
}

fn kickoff() -> Listed {
    let mut row = listed("260320-kickoff.md", Scope::Global, Family::Theonekit, "2026-03-15T09:00:00+01:00");
    row.handoff.phase = Some(inert("Phase 1"));
    row
}

fn docs() -> Listed {
    let mut row = listed("docs/HANDOFF.md", Scope::Project, Family::Freeform, "2026-03-16T09:00:00+01:00");
    row.handoff.title = Some(inert("Ship the beta"));
    row.saved_at.source = ClockSource::Commit;
    row
}

fn lane(id: &str, harness: HarnessName, status: LaneStatus) -> Lane {
    Lane {
        id: LaneId::parse(id).ok(),
        worktree: RelPath::parse(&format!(".thunderkit/runs/r1/worktrees/{id}")).ok(),
        branch: BranchName::parse(&format!("tk/{id}")).ok(),
        head: CommitId::parse("640330c5ddfb2b4a8b1e2c3d4e5f60718293a4b5").ok(),
        harness: Some(harness),
        session_id: SessionId::parse("3f0c8a52-7d1e-4b7a-9c55-0d8f2f1b6a11").ok(),
        observed_model: Some(ModelIdentity {
            catalog_key: inert("opus48"),
            provider: inert("anthropic"),
            model_id: inert("claude-opus-4-8"),
            effort: None,
        }),
        status: Some(status),
        ..Lane::default()
    }
}

fn kit() -> Listed {
    let mut row =
        listed(".thunderkit/HANDOFF.md", Scope::Project, Family::Thunderkit, "2026-03-25T02:10:00Z");
    let handoff = &mut row.handoff;
    handoff.phase = Some(inert("9 Execute"));
    handoff.next_actions = vec![inert("fix issue #12 now")];
    handoff.branch = BranchName::parse("feat/auth").ok();
    handoff.commit = Revision::parse("640330c5ddfb2b4a8b1e2c3d4e5f60718293a4b5").ok();
    handoff.record = Record::Thunderkit(Box::new(Root {
        active_artifact: RelPath::parse("PLAN.md").ok(),
        model_contract: Some(Value::Map(Fields::default())),
        ..Root::default()
    }));
    handoff.lanes = vec![
        lane("L1-auth", HarnessName::Claude, LaneStatus::Blocked),
        lane("L2-cache", HarnessName::Codex, LaneStatus::Running),
        lane("L3-docs", HarnessName::Claude, LaneStatus::Blocked),
    ];
    let fields =
        [("schema_version", "1"), ("current_stage", "9 Execute"), ("next_action", "fix issue #12 now")];
    for (n, (name, value)) in fields.into_iter().enumerate() {
        handoff.fields.push(name, Value::text(value), n as u32 + 2);
    }
    row
}

/// The five rows, in the list's order.
pub fn rows() -> Vec<Arc<Listed>> {
    [auth(), schema(), kit(), docs(), kickoff()].map(Arc::new).to_vec()
}

/// A check of the handoff as a whole.
pub fn check(id: CheckId, outcome: Outcome, expected: &str, observed: &str, source: &str) -> Check {
    let some = |text: &str| (!text.is_empty()).then(|| inert(text));
    Check {
        id,
        subject: Subject::Root,
        outcome,
        expected: some(expected),
        observed: some(observed),
        source: some(source),
        reason: None,
        line: Some(3),
    }
}

/// What the checks of a row come out as.
pub fn report(row: &Listed) -> Report {
    let mut report = Report {
        file: None,
        verdict: Verdict::Unverifiable,
        validated: (0, 0),
        reason: Some(inert("nothing in it can be compared")),
        checks: Vec::new(),
        lanes: Vec::new(),
        drift: Drift::default(),
        claims: Vec::new(),
    };
    match row.relative.to_str() {
        Some("plans/260325-auth/HANDOFF.md") => {
            let here = "HEAD of this worktree";
            let mut commit = check(CheckId::Commit, Outcome::Failed, "1a2b3c4", "9f01d2e", here);
            commit.reason = Some(inert("3 commits behind HEAD"));
            report.verdict = Verdict::Drifted;
            report.reason = Some(inert("HEAD went on by 3 commits, and 2 claims no longer hold"));
            report.checks =
                vec![check(CheckId::Branch, Outcome::Passed, "feat/auth", "feat/auth", here), commit];
            report.drift = Drift {
                commits: Some(3),
                subjects: [
                    "9f01d2e Keep the old route",
                    "77aa102 Split the session store",
                    "5b1c9d0 Name the claims",
                ]
                .map(inert)
                .to_vec(),
                files: (1..=12).map(|n| inert(&format!("src/auth/file{n}.rs"))).collect(),
                file_count: Some(12),
                diverged: Some(false),
                dirty: Some(3),
                ..Drift::default()
            };
            let claim = |kind, text: &str, line, state: &str, holds| Claim {
                kind,
                text: inert(text),
                line,
                state: inert(state),
                holds,
                counts: true,
            };
            report.claims = vec![
                claim("path", "src/auth/legacy.rs", 41, "gone (renamed to src/auth/compat.rs)", Some(false)),
                claim("branch", "fix/token-ttl", 58, "gone (merged into feat/auth)", Some(false)),
                claim("path", "src/auth/mod.rs", 12, "holds", Some(true)),
            ];
        }
        Some(".thunderkit/HANDOFF.md") => kit_report(&mut report),
        _ => {}
    }
    report
}

fn kit_report(report: &mut Report) {
    let lane = |index, verdict, reasons: &[&str], checks| LaneReport {
        index,
        verdict,
        reasons: reasons.iter().map(|reason| inert(reason)).collect(),
        checks,
        owner: None,
        run: None,
    };
    let head = "640330c5ddfb2b4a8b1e2c3d4e5f60718293a4b5";
    let tree = "worktree .thunderkit/runs/r1/worktrees/L1-auth";
    let about = |n, id: &str, mut check: Check| {
        check.subject = Subject::Lane(n, LaneId::parse(id).ok());
        check
    };
    let moved = check(CheckId::LaneHead, Outcome::Failed, "640330c", "7c0d9e1", "worktree L3-docs");
    report.verdict = Verdict::NotResumable;
    report.validated = (1, 3);
    report.reason = Some(inert("L3-docs: lane HEAD moved: 640330c → 7c0d9e1"));
    report.checks = vec![
        check(CheckId::Repository, Outcome::Passed, "example.org/acme/api", "example.org/acme/api", "origin"),
        check(CheckId::RootBranch, Outcome::Passed, "feat/auth", "feat/auth", "HEAD"),
        check(CheckId::ActiveArtifact, Outcome::Passed, "PLAN.md", "PLAN.md", "bytes on disk"),
        check(CheckId::ModelContract, Outcome::Passed, "", "", ".thunderkit/config.json"),
    ];
    let one = vec![
        about(0, "L1-auth", check(CheckId::LaneHead, Outcome::Passed, head, head, tree)),
        about(
            0,
            "L1-auth",
            check(CheckId::SessionModel, Outcome::Passed, "", "claude-opus-4-8", "session store"),
        ),
        about(
            0,
            "L1-auth",
            check(CheckId::Liveness, Outcome::Passed, "", "no process owns it", "claude registry"),
        ),
        about(0, "L1-auth", check(CheckId::NativeSource, Outcome::NotApplicable, "", "", "")),
    ];
    report.lanes = vec![
        lane(0, Verdict::Validated, &[], one),
        lane(1, Verdict::Running, &["pid 4121 has this session"], Vec::new()),
        lane(
            2,
            Verdict::NotResumable,
            &["lane HEAD moved: 640330c → 7c0d9e1"],
            vec![about(2, "L3-docs", moved)],
        ),
    ];
    report.lanes[1].owner =
        Some(Owner { pid: 4121, since: Some("2026-03-25T08:12:00Z".into()), status: None });
}

/// What is true of the project.
pub fn facts() -> ProjectFacts {
    ProjectFacts {
        root: PROJECT.into(),
        repository: Some("example.org/acme/api".into()),
        branch: Some(inert("feat/auth")),
        head: Some("9f01d2e5ddfb2b4a8b1e2c3d4e5f60718293a4b5".into()),
        dirty: Some(3),
        dirty_handoffs: 0,
        under_way: None,
        upstream: Some(Upstream { name: inert("origin/feat/auth"), ahead: 2, behind: 0 }),
        unknown: Vec::new(),
    }
}

/// The text of a row.
pub fn body(row: &Listed) -> String {
    match row.relative.to_str() {
        Some("plans/260325-auth/HANDOFF.md") => {
            let mut body = "# Session handoff: auth\n\n## Progress\n\n- [x] Login endpoint\n- [x] Session table\n- [ ] Token \
                            rotation (owner: L1)\n\n## Notes\n\n"
                .to_owned();
            (11..80).for_each(|n| body.push_str(&format!("Line {n} of the file, with `code`.\n\n")));
            body
        }
        _ => "# Handoff\n\nOne paragraph.\n".to_owned(),
    }
}

/// Exactly what a resume would start.
pub fn proposal() -> Proposal {
    Proposal {
        lane: "L1-auth".into(),
        stage: Some(inert("9 Execute")),
        harness: HarnessName::Claude,
        program: "/usr/local/bin/claude".into(),
        version: inert("2.1.332 (package file)"),
        argv: ["claude", "-p", "--resume", "3f0c8a52-7d1e-4b7a-9c55-0d8f2f1b6a11"]
            .map(str::to_owned)
            .to_vec(),
        cwd: format!("{PROJECT}/.thunderkit/runs/r1/worktrees/L1-auth").into(),
        model: inert("claude-opus-4-8 (the session keeps its own)"),
        removed: vec!["CLAUDECODE".into(), "GIT_DIR".into()],
        notable: Vec::new(),
        interactive: "claude --resume 3f0c8a52-7d1e-4b7a-9c55-0d8f2f1b6a11".into(),
        passed: 18,
        preflight: Vec::new(),
        wants_terminal: false,
    }
}

/// What became of a resume that went well.
pub fn attempt() -> Attempt {
    Attempt {
        outcome: Became::Continued,
        exit: Some(0),
        signal: None,
        grew: 1,
        model: Some(inert("claude-opus-4-8")),
        seconds: 12,
        child_error: None,
        notes: Vec::new(),
        sentence: inert("Continued: the session grew by one turn (exit 0, 12 s)."),
    }
}

/// The screen with a script of answers instead of workers.
pub struct Stage {
    /// The state that is played with.
    pub state: State,
    /// Every effect so far, in order.
    pub effects: Vec<Effect>,
    /// The rows that a scan finds.
    pub rows: Vec<Arc<Listed>>,
    /// How wide and high the screen is.
    pub size: (u16, u16),
    /// With what it is drawn.
    pub theme: Theme,
    cache: view::Cache,
    /// Effects of these kinds are not answered.
    pub silent: bool,
    /// What is to go wrong with a save.
    pub trouble: save::Trouble,
}

impl Stage {
    /// The made-up project, scanned and checked.
    pub fn new(width: u16, height: u16) -> Self {
        let mut stage = Self::unread(width, height);
        let first = std::mem::take(&mut stage.effects);
        stage.answer(first);
        stage.draw();
        stage
    }

    /// The same before anything was read.
    pub fn unread(width: u16, height: u16) -> Self {
        let home = Some(PathBuf::from("/home/ada"));
        let (state, effects) = State::new(PROJECT.into(), home, Keymap::default(), CLOCK);
        let theme = Theme { colour: true, glyphs: &UNICODE };
        let cache = view::Cache::default();
        let mut stage = Self {
            state,
            effects,
            rows: rows(),
            size: (width, height),
            theme,
            cache,
            silent: false,
            trouble: save::Trouble::None,
        };
        stage.draw();
        stage
    }

    /// Plays keys: letters as they are, others in angle brackets: `jj<enter>`.
    pub fn keys(&mut self, keys: &str) -> &mut Self {
        let mut rest = keys;
        while let Some(first) = rest.chars().next() {
            let named = rest.strip_prefix('<').and_then(|after| after.split_once('>'));
            let (name, after) = named.unwrap_or_else(|| rest.split_at(first.len_utf8()));
            let name = if name == " " { "space" } else { name };
            let key = keymap::Key::parse(name).unwrap_or_else(|| panic!("`{name}` is a key"));
            rest = after;
            self.key(key);
        }
        self
    }

    fn key(&mut self, key: keymap::Key) {
        let context = self.state.context();
        match self.state.keymap.command(context, key) {
            Some(command) => self.act(Action::Do(command)),
            None => {
                let event = ratatui::crossterm::event::Event::Key(key.event());
                if let Some(request) = tui_input::backend::crossterm::to_input_request(&event) {
                    self.act(Action::Type(request));
                }
            }
        }
    }

    /// Lets one thing happen, answers its effects, and draws.
    pub fn act(&mut self, action: Action) {
        let clock = self.state.clock;
        let effects = app::update(&mut self.state, clock, action);
        if self.silent {
            self.effects.extend(effects);
        } else {
            self.answer(effects);
        }
        self.draw();
    }

    fn answer(&mut self, effects: Vec<Effect>) {
        let clock = self.state.clock;
        for effect in effects {
            let answers: Vec<Answer> = match &effect {
                Effect::Scan(generation) => {
                    let found = self.rows.iter().cloned().map(Found::Row).collect();
                    let skipped = vec![Skipped {
                        path: format!("{PROJECT}/plans/old/HANDOFF.md").into(),
                        reason: inert("a FIFO"),
                    }];
                    vec![
                        Answer::Batch(*generation, found),
                        Answer::Settled(*generation, self.rows.clone(), skipped),
                        Answer::Live(*generation, true),
                    ]
                }
                Effect::Facts(generation) => vec![Answer::Facts(*generation, facts())],
                Effect::Examine(generation, rows) => rows
                    .iter()
                    .map(|row| Answer::Examined(*generation, Key::of(row), Arc::new(report(row))))
                    .collect(),
                Effect::ExamineFirst(generation, row) => {
                    vec![Answer::Examined(*generation, Key::of(row), Arc::new(report(row)))]
                }
                Effect::Read(row) => {
                    let text = Text { body: body(row).into(), first_line: 1, left_out: 0 };
                    vec![Answer::Text(Key::of(row), Ok(text))]
                }
                Effect::Search(ticket, words, rows) => {
                    let fits =
                        |row: &&Arc<Listed>| words.iter().all(|word| body(row).to_lowercase().contains(word));
                    vec![Answer::Searched(
                        *ticket,
                        rows.iter().filter(fits).map(|row| Key::of(row)).collect(),
                    )]
                }
                Effect::Block(row) => {
                    let block = format!("[Handoff loaded: {}]\nResuming session.", row.path.display());
                    vec![Answer::Block(Key::of(row), Ok(block))]
                }
                Effect::Versions(row, _) => {
                    let past = |name: &str, subject: &str| Past {
                        name: name.to_owned(),
                        place: inert(&format!("commit {name} {subject}")),
                        kept: Kept::Row(row.clone()),
                    };
                    let all =
                        vec![past("77aa102", "Split the session store"), past("5b1c9d0", "Name the claims")];
                    vec![Answer::Past(Key::of(row), all), Answer::PastEnds(Key::of(row), None)]
                }
                Effect::Earlier(wanted) => {
                    const TEXTS: [&str; 3] =
                        ["# Handoff\n\nOne paragraph.\n", "# Handoff\n\nTwo.\n", "# Handoff\n"];
                    let later = if wanted.later.is_some() { wanted.number } else { 0 };
                    let old = TEXTS[wanted.number + 1];
                    let earlier = Earlier {
                        lines: crate::handoff::difference::lines(old, TEXTS[later]),
                        vanished: if wanted.number == 0 { vec![inert("Ask Ada")] } else { Vec::new() },
                    };
                    let key = Key::of(&wanted.row);
                    vec![Answer::Earlier(key, wanted.number, wanted.against, Some(earlier))]
                }
                Effect::Remote(ticket, RemoteOrder::Prepare) => {
                    let words = ["argv      git  ls-remote  --exit-code  --  origin  refs/heads/main"];
                    let words = words.map(str::to_owned).into();
                    vec![Answer::RemotePrepared(*ticket, Ok(words))]
                }
                Effect::Remote(ticket, RemoteOrder::Ask) => {
                    vec![Answer::RemoteSaid(*ticket, "in sync with origin refs/heads/main".to_owned())]
                }
                Effect::Plan { ticket, lane: 0, .. } => vec![Answer::Planned(*ticket, Ok(proposal()))],
                Effect::Plan { ticket, .. } => {
                    let refused = Refused { reasons: vec![inert("lane HEAD moved")], preflight: Vec::new() };
                    vec![Answer::Planned(*ticket, Err(refused))]
                }
                Effect::Save(ticket, order) => {
                    let answers = save::answers(order, self.trouble).into_iter();
                    answers.map(|answer| Answer::Save(*ticket, answer)).collect()
                }
                Effect::Shelf(ticket, order) => {
                    let answers = shelf::answers(order).into_iter();
                    answers.map(|answer| Answer::Shelf(*ticket, answer)).collect()
                }
                _ => Vec::new(),
            };
            self.effects.push(effect);
            for answer in answers {
                let effects = app::update(&mut self.state, clock, Action::Answer(answer));
                self.answer(effects);
            }
        }
    }

    /// Draws, and tells the core what was measured.
    pub fn draw(&mut self) -> Buffer {
        let mut buf = Buffer::empty(Rect::new(0, 0, self.size.0, self.size.1));
        let metrics = view::draw(&mut buf, &self.state, &self.theme, &mut self.cache);
        let clock = self.state.clock;
        app::update(&mut self.state, clock, Action::Drawn(metrics));
        buf
    }

    /// The screen as text, one line per row.
    pub fn screen(&mut self) -> String {
        self.draw();
        text_of(&self.draw())
    }

    /// The selected row's short path.
    pub fn selected(&self) -> String {
        let row = self.state.list.selected();
        row.map(|row| row.listed.relative.to_string_lossy().into_owned()).unwrap_or_default()
    }
}

/// A buffer as text, one line per row, without blanks at the ends; the second cell of a wide character is left
/// out.
pub fn text_of(buf: &Buffer) -> String {
    let width = usize::from(buf.area.width.max(1));
    let mut out = String::new();
    for row in buf.content.chunks(width) {
        let mut line = String::new();
        let mut skip = 0;
        for cell in row {
            if skip > 0 {
                skip -= 1;
                continue;
            }
            skip = super::text::width(cell.symbol()).saturating_sub(1);
            line.push_str(cell.symbol());
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}
