//! The model catalog: which harness runs which model under which exact id.

use super::json::Json;
use super::{Catalog, Model, PolicyError, Route};
use crate::handoff::{HarnessName, Inert};

const EMBEDDED: &[u8] = include_bytes!("../../assets/catalog.json");

/// The public rows that are built in.
pub(super) fn embedded() -> Catalog {
    parse(EMBEDDED, Inert::from("the built-in catalog")).expect("the built-in catalog is tested to be valid")
}

/// Reads a catalog strictly; see [`Catalog::parse`].
pub(super) fn parse(bytes: &[u8], source: Inert) -> Result<Catalog, PolicyError> {
    let root = Json::parse(bytes)?;
    let version = member(&root, "schema_version")?;
    if version.natural() != Some(1) {
        return Err(PolicyError::at(version.at, "the catalog's schema_version must be the integer 1"));
    }
    let models = member(&root, "models")?;
    let rows = models.members().ok_or_else(|| PolicyError::at(models.at, "`models` must be an object"))?;
    let mut read = Vec::new();
    for row in rows {
        if row.key.is_empty() {
            return Err(PolicyError::at(row.key_at, "a catalog key may not be empty"));
        }
        let family = text(&row.value, "family")?;
        let (routes, elsewhere) = routes(member(&row.value, "harnesses")?)?;
        read.push(Model { key: row.key.clone(), family, routes, elsewhere });
    }
    Ok(Catalog { models: read, source })
}

fn member<'a>(object: &'a Json, name: &str) -> Result<&'a Json, PolicyError> {
    object
        .get(name)
        .ok_or_else(|| PolicyError::at(object.at, format!("an object with `{name}` is expected here")))
}

fn text(object: &Json, name: &str) -> Result<String, PolicyError> {
    let value = member(object, name)?;
    match value.text() {
        Some(text) if !text.trim().is_empty() => Ok(text.to_owned()),
        _ => Err(PolicyError::at(value.at, format!("`{name}` must be text"))),
    }
}

/// The routes of one model on harnesses that moorline knows, and those elsewhere.
type Routes = (Vec<Route>, Vec<(String, String, String)>);

/// The routes of one model; each harness at most once.
fn routes(list: &Json) -> Result<Routes, PolicyError> {
    let items = list.items().ok_or_else(|| PolicyError::at(list.at, "`harnesses` must be a list"))?;
    let mut seen = Vec::new();
    let (mut routes, mut elsewhere) = (Vec::new(), Vec::new());
    for item in items {
        let name = text(item, "harness")?;
        let (provider, model_id) = (text(item, "provider")?, text(item, "model_id")?);
        if seen.contains(&name) {
            return Err(PolicyError::at(item.at, format!("the harness {name:?} stands twice at one model")));
        }
        match HarnessName::parse(&name) {
            Some(harness) => routes.push(Route { harness, provider, model_id }),
            None => elsewhere.push((name.clone(), provider, model_id)),
        }
        seen.push(name);
    }
    Ok((routes, elsewhere))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::handoff::ModelClass;
    use crate::policy::Config;

    fn catalog(models: &str) -> Result<Catalog, PolicyError> {
        parse(format!("{{\"schema_version\":1,\"models\":{models}}}").as_bytes(), Inert::from("test"))
    }

    #[test]
    fn the_built_in_catalog_is_valid_and_in_order() {
        let built_in = Catalog::embedded();
        let keys: Vec<_> = built_in.models.iter().map(|model| model.key.as_str()).collect();
        assert_eq!(keys, ["fable51", "opus48", "opus5", "sol"], "rows keep the order of the file");
        let opus = built_in.model("opus48").expect("a known key");
        let claude = opus.routes.iter().find(|route| route.harness == HarnessName::Claude);
        assert_eq!(claude.map(|r| r.model_id.as_str()), Some("claude-opus-4-8"), "the exact id for claude");
        assert_eq!(opus.family, "anthropic", "and the family");
        assert!(built_in.model("opus4").is_none(), "a prefix of a key is no key");
        assert!(!built_in.source.is_blank(), "checks can name where it came from");
    }

    #[test]
    fn all_reviewers_are_the_catalogs_rows() {
        let text = br#"{"classes":{"planner":"opus5","executors":["sol","opus48"],"reviewers":"all"}}"#;
        let config = Config::parse(text).expect("a good config");
        let built_in = Catalog::embedded();
        assert_eq!(config.class(ModelClass::Planner, &built_in), ["opus5"], "one planner");
        assert_eq!(config.class(ModelClass::Executors, &built_in), ["sol", "opus48"], "executors in order");
        assert_eq!(config.class(ModelClass::Reviewers, &built_in).len(), 4, "`all` is every row");
    }

    #[test]
    fn good_rows_are_read_and_other_columns_let_by() {
        let rows = r#"{"k":{"label":"K","auth":"x","character":"calm","family":"f","provider":"p","model_id":"m",
            "harnesses":[{"harness":"codex","provider":"p","model_id":"m"},
                         {"harness":"kimi","provider":"p","model_id":"m"}]},"l":{"family":"f","harnesses":[]}}"#;
        let read = catalog(rows).expect("a good catalog");
        assert_eq!(
            read.models[0].routes.len(),
            1,
            "a harness that moorline does not know has no route of its own"
        );
        assert!(read.models[0].runs_as("kimi", "p", "m"), "but it is known to run there");
        assert!(!read.models[0].runs_as("kimi", "p", "n"), "under exactly that id");
        assert!(read.models[1].routes.is_empty(), "a model may have no route at all");
    }

    #[test]
    fn a_breach_is_refused_with_its_place() {
        let route = r#"{"harness":"codex","provider":"p","model_id":"m"}"#;
        for rows in [
            "[]".to_owned(),
            "null".to_owned(),
            r#"{"k":null}"#.to_owned(),
            r#"{"k":{"harnesses":[]}}"#.to_owned(),
            r#"{"k":{"family":" ","harnesses":[]}}"#.to_owned(),
            r#"{"k":{"family":"f"}}"#.to_owned(),
            r#"{"":{"family":"f","harnesses":[]}}"#.to_owned(),
            r#"{"k":{"family":"f","harnesses":{}}}"#.to_owned(),
            r#"{"k":{"family":"f","harnesses":[{"harness":"codex"}]}}"#.to_owned(),
            r#"{"k":{"family":"f","harnesses":[{"harness":"codex","provider":"p","model_id":1}]}}"#
                .to_owned(),
            format!(r#"{{"k":{{"family":"f","harnesses":[{route},{route}]}}}}"#),
            r#"{"k":{"family":"f","harnesses":[]},"k":{"family":"f","harnesses":[]}}"#.to_owned(),
        ] {
            assert!(catalog(&rows).expect_err(&rows).at.is_some(), "{rows} is refused with its place");
        }
        for version in ["2", "1.0", "true", "null"] {
            let text = format!("{{\"schema_version\":{version},\"models\":{{}}}}");
            assert!(parse(text.as_bytes(), Inert::default()).is_err(), "schema_version {version} is not 1");
        }
        assert!(catalog("{}").is_ok(), "an empty catalog is one: the control that the gate opens");
    }
}
