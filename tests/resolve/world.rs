//! A project with a host, its peers and everything that a decision is made from, so that one change at a time can be
//! tried on it.
//!
//! ```text
//! <base>/
//!   project/.thunderkit/{config.json,peers.lock.json,runs/r1/hermes-home/}
//!   project/capabilities.json
//!   peers/{omo,omh,gsd}/     installed roots; each file holds its ecosystem and its own path
//!   manifest.json, catalog.json
//!   proc/self/mountinfo      everything lies on ext4
//! ```

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use moorline::handoff::Digest;
use moorline::policy::read::Named;
use moorline::policy::record::Record;
use moorline::policy::resolver::{self, Request};
use serde_json::{Map, Value, json};
use tempfile::TempDir;

const MANIFESTS: [&str; 2] = [include_str!("manifest-1.json"), include_str!("manifest-2.json")];
const CATALOG: &str = include_str!("../../assets/catalog.json");

/// What is asked, and where.
#[derive(Debug, Clone)]
pub struct Scenario {
    pub generation: usize,
    pub host: String,
    pub skill: String,
    pub operation: Option<String>,
}

impl Scenario {
    /// `2 opencode tk-plan plan`: generation, host, skill, and an operation where it is not the default one.
    pub fn parse(text: &str) -> Self {
        let mut words = text.split(' ').map(str::to_owned);
        let mut next = || words.next().expect("generation, host and skill");
        let generation = next().parse().expect("1 or 2");
        Self { generation, host: next(), skill: next(), operation: words.next() }
    }
}

/// The documents by name, the words of the command line, and the directory that both are written to.
pub struct World {
    _temp: TempDir,
    pub base: PathBuf,
    pub documents: BTreeMap<String, Value>,
    /// Documents that are written as this text instead.
    pub raw: BTreeMap<String, String>,
    pub flags: BTreeMap<String, String>,
}

impl World {
    /// Everything is as it must be.
    pub fn build(scenario: &Scenario) -> Self {
        let temp = tempfile::tempdir().expect("a temporary directory can be made");
        let base = temp.path().canonicalize().expect("it has a real path");
        let manifest: Value = serde_json::from_str(MANIFESTS[scenario.generation - 1]).expect("JSON");
        let mut world = Self {
            _temp: temp,
            base,
            documents: BTreeMap::new(),
            raw: BTreeMap::new(),
            flags: BTreeMap::new(),
        };
        world.lay_out_peers(&manifest, scenario);
        world.lay_out_snapshot(&manifest, scenario);
        world.document("manifest", manifest);
        world.document("catalog", serde_json::from_str(CATALOG).expect("JSON"));
        world.file("proc/self/mountinfo", "1 0 1:1 / / rw - ext4 /dev/a rw\n");
        fs::create_dir_all(world.base.join("project/.thunderkit/runs/r1/hermes-home")).expect("directories");
        for (flag, value) in [
            ("--skill", scenario.skill.as_str()),
            ("--project-root", "project"),
            ("--config", "project/.thunderkit/config.json"),
            ("--capabilities", "project/capabilities.json"),
            ("--lock", "project/.thunderkit/peers.lock.json"),
            ("--manifest", "manifest.json"),
            ("--catalog", "catalog.json"),
        ] {
            world.flags.insert(flag.to_owned(), value.to_owned());
        }
        if let Some(operation) = &scenario.operation {
            world.flags.insert("--operation".to_owned(), operation.clone());
        }
        world
    }

    fn document(&mut self, name: &str, value: Value) {
        self.documents.insert(name.to_owned(), value);
    }

    /// Where a document lies.
    fn place(name: &str) -> &str {
        match name {
            "config" => "project/.thunderkit/config.json",
            "capabilities" => "project/capabilities.json",
            "lock" => "project/.thunderkit/peers.lock.json",
            "manifest" => "manifest.json",
            "catalog" => "catalog.json",
            "identity:omo" => "peers/omo/package.json",
            "identity:omh" => "peers/omh/manifest.json",
            "identity:gsd" => "peers/gsd/gsd-file-manifest.json",
            other => panic!("no document is called {other}"),
        }
    }

    /// Writes every document.
    pub fn write(&self) {
        for (name, value) in &self.documents {
            let text = match self.raw.get(name) {
                Some(text) => text.clone(),
                None => serde_json::to_string_pretty(value).expect("JSON"),
            };
            self.file(Self::place(name), &text.replace("{base}", &self.base.display().to_string()));
        }
    }

    /// Writes a file.
    pub fn file(&self, path: &str, text: &str) {
        let path = self.base.join(path);
        fs::create_dir_all(path.parent().expect("a file has a directory")).expect("directories can be made");
        fs::write(path, text).expect("a file can be written");
    }

    /// What the flags name.
    pub fn named(&self) -> Named {
        let path = |flag: &str| self.flags.get(flag).map(|value| self.base.join(value));
        Named {
            project: path("--project-root").unwrap_or_else(|| self.base.join("project")),
            config: path("--config"),
            capabilities: path("--capabilities"),
            lock: path("--lock"),
            catalog: path("--catalog"),
            manifest: path("--manifest"),
            proc: self.base.join("proc"),
        }
    }

    /// The decision on what lies there now.
    pub fn resolve(&self) -> Record {
        let word = |flag: &str| self.flags.get(flag).map(String::as_str);
        resolver::resolve(Request { skill: word("--skill"), operation: word("--operation") }, &self.named())
    }

    /// A record as text, with the base directory left open.
    pub fn text_of(&self, record: &Record) -> String {
        let text = serde_json::to_string_pretty(record).expect("a record is JSON");
        text.replace(&self.base.display().to_string(), "{base}")
    }

    fn lay_out_peers(&mut self, manifest: &Value, scenario: &Scenario) {
        let mut locked = Map::new();
        let mut records = Vec::new();
        let mut listed = Map::new();
        for target in of_skill(manifest, scenario) {
            let ecosystem = text(&target["ecosystem"]);
            for path in files(&target["provenance"]["files"]) {
                let content = format!("{ecosystem} {path}\n");
                self.file(&format!("peers/{ecosystem}/{path}"), &content);
                let digest = Digest::of(content.as_bytes()).to_string();
                if serves(&scenario.host) == ecosystem {
                    locked.insert(path.clone(), digest.clone().into());
                }
                if ecosystem == "gsd" {
                    listed.insert(path, digest.into());
                }
            }
            if ecosystem == "omh" {
                let entrypoint = text(&target["provenance"]["entrypoint"]);
                let digest = Digest::of(format!("omh {entrypoint}\n").as_bytes()).to_string();
                let path = entrypoint.strip_prefix("skills/").expect("below skills");
                let name = &target["canonical_name"];
                records.push(json!({"name": name, "path": path, "sha256": digest, "source": "builtin"}));
            }
        }
        self.document(
            "identity:omo",
            json!({"name": "oh-my-openagent", "version": version("omo"), "type": "module"}),
        );
        let omh = json!({"schema_version": 1, "package": "oh-my-hermes", "version": version("omh"),
            "skills_dir": "{base}/peers/omh/skills", "skills": records});
        self.document("identity:omh", omh);
        self.document("identity:gsd", json!({"version": version("gsd"), "files": listed}));
        let peer = serves(&scenario.host);
        let lock = json!({
            "schema_version": 1,
            "host": scenario.host,
            "peer": peer,
            "package": manifest["ecosystems"][peer]["package"],
            "channel": manifest["ecosystems"][peer].get("channel").unwrap_or(&json!("none")),
            "version": version(peer),
            "registry_integrity": "",
            "locked_at": "2026-11-29T08:00:00Z",
            "root": format!("{{base}}/peers/{peer}"),
            "files": locked,
        });
        self.document("lock", lock);
    }

    fn lay_out_snapshot(&mut self, manifest: &Value, scenario: &Scenario) {
        let host = scenario.host.as_str();
        let classes = match host {
            "opencode" => {
                json!({"planner": "opus5", "executors": ["fable51"], "reviewers": ["fable51", "opus5"]})
            }
            "hermes" => {
                json!({"planner": "opus5", "executors": ["fable51"], "reviewers": ["opus48", "opus5"]})
            }
            "claude" => json!({"planner": "opus48", "executors": ["opus48"], "reviewers": ["opus48"]}),
            _ => json!({"planner": "sol", "executors": ["sol"], "reviewers": ["sol"]}),
        };
        let (mut peers, mut bindings) = (Map::new(), Map::new());
        for (ecosystem, pin) in manifest["ecosystems"].as_object().expect("ecosystems") {
            let mut loaded = Map::new();
            for target in
                of_skill(manifest, scenario).filter(|target| text(&target["ecosystem"]) == ecosystem)
            {
                let entrypoint = text(&target["provenance"]["entrypoint"]);
                let digest = Digest::of(format!("{ecosystem} {entrypoint}\n").as_bytes()).to_string();
                let path = format!("{{base}}/peers/{ecosystem}/{entrypoint}");
                loaded.insert(text(&target["selector"]).to_owned(), json!({"path": path, "sha256": digest}));
            }
            let mut peer = json!({"package": pin["package"], "version": version(ecosystem), "source": pin["source"],
                "root": format!("{{base}}/peers/{ecosystem}"), "loaded_skills": loaded});
            if let Some(commit) = pin.get("source_commit") {
                peer["source_commit"] = commit.clone();
            }
            peers.insert(ecosystem.clone(), peer);
        }
        let ours = |target: &&Value| runs(manifest, host, text(&target["ecosystem"]));
        for (slot, class) in of_skill(manifest, scenario).filter(ours).flat_map(slots) {
            let members = members(&classes[class.as_str()], host);
            let binding =
                json!({"descriptor": format!("agent:{slot}"), "method": "configured", "members": members});
            bindings.insert(slot, binding);
        }
        let home = "{base}/project/.thunderkit/runs/r1/hermes-home";
        let snapshot = json!({
            "schema_version": 1,
            "host": host,
            "peers": peers,
            "tools": ["skill", "delegate_task", "omh_delegate_route"],
            "model_bindings": bindings,
            "runtime_home": {"path": home, "parent_home": home, "dispatcher_home": home},
            "consents": ["dispatch", "delivery:disabled", "lookup"],
        });
        self.document("config", json!({"schema_version": 2, "classes": classes}));
        self.document("capabilities", snapshot);
    }
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

/// The targets of the asked skill.
fn of_skill<'a>(manifest: &'a Value, scenario: &Scenario) -> impl Iterator<Item = &'a Value> {
    manifest["skills"][&scenario.skill]["targets"].as_array().into_iter().flatten()
}

/// The paths of a list, or of a map of digests.
fn files(value: &Value) -> Vec<String> {
    match value {
        Value::Array(paths) => paths.iter().map(|path| text(path).to_owned()).collect(),
        Value::Object(pins) => pins.keys().cloned().collect(),
        other => panic!("no files: {other}"),
    }
}

fn version(ecosystem: &str) -> &'static str {
    match ecosystem {
        "omo" => "5.0.0-beta.81",
        "omh" => "2.0.3",
        _ => "1.34.2",
    }
}

/// The ecosystem whose lock a host has.
fn serves(host: &str) -> &'static str {
    match host {
        "opencode" => "omo",
        "hermes" => "omh",
        _ => "gsd",
    }
}

/// Whether a host runs an ecosystem: codex ran omo in the first generation.
fn runs(manifest: &Value, host: &str, ecosystem: &str) -> bool {
    let hosts = manifest["ecosystems"][ecosystem]["hosts"].as_array();
    hosts.is_some_and(|hosts| hosts.iter().any(|own| own == host))
}

/// The slots of a target, each with its class.
fn slots(target: &Value) -> Vec<(String, String)> {
    if let Some(roles) = target.get("native_roles").and_then(Value::as_object) {
        return roles.iter().map(|(slot, class)| (slot.clone(), text(class).to_owned())).collect();
    }
    let requires = target["requires"].as_array().expect("requires").iter();
    let classes = requires.filter_map(|word| text(word).strip_prefix("model-binding:"));
    classes.map(|class| (class.to_owned(), class.to_owned())).collect()
}

/// The members of a selection as the catalog maps them on a host.
fn members(selection: &Value, host: &str) -> Value {
    let catalog: Value = serde_json::from_str(CATALOG).expect("JSON");
    let keys = match selection {
        Value::Array(keys) => keys.clone(),
        key => vec![key.clone()],
    };
    let member = |key: &Value| {
        let routes = catalog["models"][text(key)]["harnesses"].as_array().expect("routes");
        let route = routes.iter().find(|route| route["harness"] == host).expect("a route on this host");
        json!({"catalog_key": key, "provider": route["provider"], "model_id": route["model_id"]})
    };
    keys.iter().map(member).collect()
}

/// Every path below a directory with its bytes, to see that nothing was written.
pub fn tree(dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(dir).expect("a directory can be listed") {
        let path = entry.expect("an entry can be read").path();
        match path.symlink_metadata().expect("an entry has a kind") {
            kind if kind.is_dir() => found.extend(tree(&path)),
            kind if kind.is_symlink() => drop(found.insert(path, Vec::new())),
            _ => drop(found.insert(path.clone(), fs::read(&path).expect("a file can be read"))),
        }
    }
    found
}
