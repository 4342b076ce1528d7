//! One handoff from its bytes up: read, surveyed, judged, folded.

use std::borrow::Cow;

use super::drift;
use super::evidence::{Fact, Own, Seen};
use super::judge;
use super::report::{Check, CheckId, Drift, LaneReport, Outcome, Report, Subject, Verdict};
use super::survey::{POLICY_CAP, Survey};
use super::{Examiner, verdict};
use crate::disk::{self, Beneath, Content, DiskError};
use crate::handoff::{self, Digest, Family, Habit, Handoff, Inert, RelPath, Source};
use crate::harness::{Liveness, Owner};
use crate::place::Listed;
use crate::policy::Catalog;
use crate::policy::run::RunRecord;

/// Surveys and judges one row; its file is read again, once, and everything stands on those bytes.
pub(super) fn examine(examiner: &Examiner, row: &Listed) -> Report {
    let content = match read(examiner, row) {
        Ok(content) => content,
        Err(why) => return unreadable(row, None, &why.to_string()),
    };
    let file = Digest::of(&content.bytes);
    let handoff = match &row.read_from {
        Some(read_from) if *read_from == file && !content.cut => Some(Cow::Borrowed(&row.handoff)),
        _ => reread(row, &content).map(Cow::Owned),
    };
    let Some(handoff) = handoff.as_deref() else {
        return unreadable(row, Some(file), "the file no longer holds this handoff: list again");
    };
    let survey = Survey::new(examiner, row, handoff);
    let text = String::from_utf8_lossy(handoff::as_read(&content.bytes, handoff.format));
    let gathered = survey.gather(&text);
    let judged = judge::judge(handoff, &gathered.evidence);
    let mut notes = gathered.notes;
    if let Own::Context(around) = &gathered.evidence.own
        && let Some(newer) = around.plan.as_ref().and_then(|plan| plan.newer.as_ref())
    {
        notes.push(format!("a newer handoff stands for the same plan: {}", newer.display()).into());
    }
    let drift = drift::drift(&gathered.evidence, &gathered.dirt, notes);
    let is_context = matches!(gathered.evidence.own, Own::Context(_));
    let (verdict, validated, reason, lanes) = if is_context {
        let (verdict, reason) = verdict::of_context(&judged.root);
        (verdict, (0, 0), reason, Vec::new())
    } else {
        let mut lanes = verdict::lanes(handoff, &judged, &owners(&gathered.evidence.own));
        for (lane, run) in lanes.iter_mut().zip(runs(&gathered.evidence.own)) {
            lane.run = run;
        }
        let (verdict, validated, reason) = verdict::of_lanes(handoff, &judged.root, &lanes);
        (verdict, validated, reason, lanes)
    };
    Report {
        file: Some(file),
        verdict,
        validated,
        reason,
        checks: judged.root,
        lanes,
        drift,
        claims: gathered.claims,
    }
}

/// The file's bytes now, beneath the root it was found under where its name allows that.
fn read(examiner: &Examiner, row: &Listed) -> Result<Content, DiskError> {
    let cap = row.handoff.format.most_bytes(examiner.settings().read_limit);
    match row.relative.to_str().map(RelPath::parse) {
        Some(Ok(relative)) => Beneath::open(&row.root)?.read(&relative, cap),
        _ => disk::read(&row.path, cap),
    }
}

/// What the bytes say now, read with the habit of the place they were found in.
fn reread(row: &Listed, content: &Content) -> Option<Handoff> {
    let name = row.path.file_name()?.to_string_lossy();
    let habit = match row.handoff.family {
        Family::Thunderkit | Family::ThunderkitLegacy => Habit::Thunderkit,
        Family::Memtomem => Habit::DayFile,
        Family::Theonekit | Family::Freeform => Habit::Other,
    };
    let cut_from = content.cut.then_some(content.meta.len);
    let mut read = handoff::read(&Source { bytes: &content.bytes, name: &name, habit, cut_from });
    let id = &row.handoff.record_id;
    let same_line = |handoff: &Handoff| handoff.lines.0 == row.handoff.lines.0;
    let index = match read.iter().filter(|handoff| &handoff.record_id == id).count() {
        // A record may have moved in its file, but only one that is there once is surely the same.
        1 if id.is_some() => read.iter().position(|handoff| &handoff.record_id == id),
        _ => read.iter().position(|handoff| &handoff.record_id == id && same_line(handoff)),
    }?;
    Some(read.swap_remove(index))
}

/// A file that cannot be read is no absence: one failed check that says why.
fn unreadable(row: &Listed, file: Option<Digest>, why: &str) -> Report {
    let thunderkit = matches!(row.handoff.family, Family::Thunderkit | Family::ThunderkitLegacy);
    let check = Check {
        id: if thunderkit { CheckId::Schema } else { CheckId::Record },
        subject: Subject::Root,
        outcome: Outcome::Failed,
        expected: Some("the handoff that was listed".into()),
        observed: None,
        source: Some(row.path.display().to_string().into()),
        reason: Some(why.into()),
        line: None,
    };
    let verdict = if thunderkit { Verdict::NotResumable } else { Verdict::Unverifiable };
    Report {
        file,
        verdict,
        validated: (0, row.handoff.lanes.len()),
        reason: Some(verdict::sentence(&check)),
        lanes: row.handoff.lanes.iter().enumerate().map(|(index, _)| refused(index, &check)).collect(),
        checks: vec![check],
        drift: Drift::default(),
        claims: Vec::new(),
    }
}

fn refused(index: usize, check: &Check) -> LaneReport {
    let reasons = vec![verdict::sentence(check)];
    LaneReport { index, verdict: Verdict::NotResumable, reasons, checks: Vec::new(), owner: None, run: None }
}

/// Who runs each lane.
fn owners(own: &Own) -> Vec<Option<Owner>> {
    let Own::Thunderkit(policy) = own else { return Vec::new() };
    let live = |liveness: &Liveness| match liveness {
        Liveness::Running(owner) => Some(owner.clone()),
        _ => None,
    };
    policy.lanes.iter().map(|lane| lane.harness.as_ref().and_then(|seen| live(&seen.liveness))).collect()
}

/// The record that each lane's run left.
fn runs(own: &Own) -> Vec<Option<RunRecord>> {
    let Own::Thunderkit(policy) = own else { return Vec::new() };
    policy.lanes.iter().map(|lane| lane.run.as_ref()?.value().cloned()).collect()
}

/// One digest over everything that a judgement stands on.
pub(super) fn digest(row: &Listed, report: &Report) -> Digest {
    let own = |check: &Check| {
        // How liveness was proved counts processes, and so changes by itself.
        let (expected, observed) = match check.id {
            CheckId::Liveness => (&None, &None),
            _ => (&check.expected, &check.observed),
        };
        let raw = |text: &Option<Inert>| text.as_ref().map(|text| text.raw().to_owned());
        serde_json::json!([check.id, check.subject, check.outcome, raw(expected), raw(observed)])
    };
    let lanes: Vec<_> =
        report.lanes.iter().map(|lane| lane.checks.iter().map(own).collect::<Vec<_>>()).collect();
    let whole = serde_json::json!([
        row.path.as_os_str().as_encoded_bytes(),
        row.handoff.record_id,
        report.file,
        report.checks.iter().map(own).collect::<Vec<_>>(),
        lanes,
    ]);
    Digest::of(whole.to_string().as_bytes())
}

impl Examiner {
    /// The model catalog that checks are made with, read once: the settings' one, else the one built in.
    pub fn catalog(&self) -> Seen<Catalog> {
        self.cache.catalog.get_or_init(|| read_catalog(self)).clone()
    }
}

fn read_catalog(examiner: &Examiner) -> Seen<Catalog> {
    let Some(path) = &examiner.settings().catalog else {
        let catalog = Catalog::embedded();
        let source = catalog.source.raw().to_owned();
        return Seen::known(catalog, source);
    };
    let source = path.display().to_string();
    let parsed = disk::read(path, POLICY_CAP).map_err(|why| why.to_string()).and_then(|content| {
        Catalog::parse(&content.bytes, source.as_str().into()).map_err(|why| why.to_string())
    });
    // A catalog that was asked for and cannot be read is never replaced by another one in silence.
    let fact = parsed.map_or_else(Fact::Unknown, Fact::Known);
    Seen { fact, source }
}
