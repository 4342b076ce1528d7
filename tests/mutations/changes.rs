//! Small changes that several rows of the table make.

use std::fs;
use std::os::unix::fs::symlink;

use moorline::harness::Surroundings;

use crate::true_project::{MODEL, TrueProject};

/// The handoff, relative to everything.
pub(crate) const HANDOFF: &str = "api/.thunderkit/HANDOFF.md";
/// The config, relative to everything.
pub(crate) const CONFIG: &str = "api/.thunderkit/config.json";

pub(crate) fn git(project: &TrueProject, args: &[&str]) {
    project.git(&project.root(), args);
}

pub(crate) fn lane_git(project: &TrueProject, args: &[&str]) {
    project.git(&project.worktree(), args);
}

pub(crate) fn rewrite(project: &TrueProject, relative: &str, change: impl Fn(String) -> String) {
    let path = project.base().join(relative);
    let text = fs::read_to_string(&path).expect("a file can be read");
    fs::write(path, change(text)).expect("a file can be written");
}

pub(crate) fn append(project: &TrueProject, relative: &str, more: &str) {
    rewrite(project, relative, |text| text + more);
}

pub(crate) fn remove(project: &TrueProject, relative: &str) {
    fs::remove_file(project.base().join(relative)).expect("a file can be removed");
}

/// Moves something out of the project and puts a link in its place: the same bytes, elsewhere.
pub(crate) fn lead_out(project: &TrueProject, relative: &str) {
    let (here, there) = (project.root().join(relative), project.base().join("outside"));
    fs::rename(&here, &there).expect("it can be moved");
    symlink(there, here).expect("a link can be made");
}

pub(crate) fn set(around: &mut Surroundings, name: &str, value: &str) {
    around.vars.insert(name.into(), value.into());
}

/// Puts a program of claude's name into a directory.
pub(crate) fn plant(project: &TrueProject, dir: &std::path::Path) {
    fs::create_dir_all(dir).expect("directories can be made");
    fs::copy(project.program(), dir.join("claude")).expect("a file can be copied");
}

pub(crate) fn everywhere_in_session(project: &TrueProject, from: &str, to: &str) {
    let text = fs::read_to_string(project.session()).expect("a file can be read");
    assert!(text.contains(from), "the session has {from:?}");
    fs::write(project.session(), text.replace(from, to)).expect("a file can be written");
}

/// Adds a copy of the last answer with another model.
pub(crate) fn add_answer(project: &TrueProject, chain: &str, model: &str, more: &str) {
    let text = fs::read_to_string(project.session()).expect("a file can be read");
    let last = text.lines().last().expect("an answer").replace(MODEL, model);
    let last = last
        .replace("\"isSidechain\":false", &format!("{chain}{more}"))
        .replace("000000000002", "000000000003");
    fs::write(project.session(), format!("{text}{last}\n")).expect("a file can be written");
}

pub(crate) fn no_model(project: &TrueProject, which: &str) {
    let identity =
        format!("{{catalog_key: \"opus48\", provider: \"anthropic\", model_id: \"{MODEL}\", effort: null}}");
    project.edit(&format!("{which}_model: {identity}"), &format!("{which}_model: null"));
}

pub(crate) fn without_digest(project: &TrueProject, key: &str) {
    rewrite(project, HANDOFF, |text| {
        let at = text.find(key).expect("the key is there") + key.len();
        let end = at + text[at..].find('\n').expect("a line ends");
        format!("{}null{}", &text[..at], &text[end..])
    });
}

/// Cuts the first quoted value after a key to seven characters.
pub(crate) fn shorten(text: &str, key: &str) -> String {
    let at = text.find(key).expect("the key is there") + key.len();
    let end = at + text[at..].find('"').expect("a quote ends");
    format!("{}{}{}", &text[..at], &text[at..at + 7], &text[end..])
}

pub(crate) fn replace_contract(text: &str, value: &str) -> String {
    let at = text.find("model_contract:").expect("there is one") + "model_contract:".len();
    let end = text.find("lanes_in_flight:").expect("it is followed by lanes");
    format!("{}{value}{}", &text[..at], &text[end..])
}

pub(crate) fn without_lanes(text: String) -> String {
    let at = text.find("lanes_in_flight:").expect("there are lanes");
    let end = text.find("decisions_this_session:").expect("they are followed by decisions");
    format!("{}lanes_in_flight: []\n{}", &text[..at], &text[end..])
}
