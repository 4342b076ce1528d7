//! One change to a world, as the data files write it.
//!
//! | key | what it does |
//! |---|---|
//! | `set` and `to` | puts a value at `document/json/pointer` |
//! | `remove`, `reverse`, `double` | takes it away; turns a list round; repeats a list's first item |
//! | `append` and `to` | adds an item to a list |
//! | `raw` and `to` | writes the whole document as this text |
//! | `file` with `write`, `copy`, `move`, `link`, `dir` or `remove` | does that to a path below the base directory |
//! | `args`, `drop` | gives a flag another value; leaves it out |

use std::fs;
use std::os::unix::fs::symlink;

use serde_json::Value;

use super::world::World;

/// Applies changes in order: to documents first, then they are written, then to files.
pub fn apply(world: &mut World, changes: &[Value]) {
    for change in changes {
        edit(world, change);
    }
    world.write();
    for change in changes {
        on_disk(world, change);
    }
}

fn edit(world: &mut World, change: &Value) {
    let string = |key: &str| change.get(key).and_then(Value::as_str);
    if let Some(document) = string("raw") {
        world.raw.insert(document.to_owned(), string("to").expect("a text").to_owned());
    } else if let Some(flag) = string("drop") {
        world.flags.remove(flag);
    } else if let Some(args) = change.get("args").and_then(Value::as_array) {
        let word = |at: usize| args[at].as_str().expect("a word").to_owned();
        world.flags.insert(word(0), word(1));
    } else if let Some(place) = string("set") {
        put(world, place, change["to"].clone());
    } else if let Some(place) = string("remove").filter(|_| change.get("file").is_none()) {
        take(world, place);
    } else if let Some(place) = string("append") {
        list(world, place).push(change["to"].clone());
    } else if let Some(place) = string("reverse") {
        list(world, place).reverse();
    } else if let Some(place) = string("double") {
        let items = list(world, place);
        items.push(items[0].clone());
    }
}

/// The document, the place of the parent, and the last name.
fn split(place: &str) -> (&str, String, String) {
    let (document, pointer) = place.split_once('/').expect("a document and a place in it");
    let (parent, last) = match pointer.rsplit_once('/') {
        Some((parent, last)) => (format!("/{parent}"), last),
        None => (String::new(), pointer),
    };
    (document, parent, last.replace("~1", "/").replace("~0", "~"))
}

fn parent<'a>(world: &'a mut World, document: &str, pointer: &str) -> &'a mut Value {
    let value = world.documents.get_mut(document).unwrap_or_else(|| panic!("no document {document}"));
    value.pointer_mut(pointer).unwrap_or_else(|| panic!("nothing at {document}{pointer}"))
}

fn put(world: &mut World, place: &str, to: Value) {
    let (document, pointer, last) = split(place);
    match parent(world, document, &pointer) {
        Value::Object(members) => drop(members.insert(last, to)),
        Value::Array(items) => {
            let at: usize = last.parse().expect("a number");
            if at == items.len() { items.push(to) } else { items[at] = to }
        }
        other => panic!("{place} is in no container but {other}"),
    }
}

fn take(world: &mut World, place: &str) {
    let (document, pointer, last) = split(place);
    let taken = match parent(world, document, &pointer) {
        Value::Object(members) => members.remove(&last),
        Value::Array(items) => Some(items.remove(last.parse().expect("a number"))),
        _ => None,
    };
    assert!(taken.is_some(), "{place} is there to be taken away");
}

fn list<'a>(world: &'a mut World, place: &str) -> &'a mut Vec<Value> {
    let (document, pointer) = place.split_once('/').expect("a document and a place in it");
    parent(world, document, &format!("/{pointer}")).as_array_mut().expect("a list")
}

fn on_disk(world: &World, change: &Value) {
    let Some(name) = change.get("file").and_then(Value::as_str) else { return };
    let path = world.base.join(name);
    let string = |key: &str| change.get(key).and_then(Value::as_str);
    let made = "directories can be made";
    fs::create_dir_all(path.parent().expect("a file has a directory")).expect(made);
    let clear = || match path.symlink_metadata() {
        Ok(kind) if kind.is_dir() => fs::remove_dir_all(&path).expect("a directory can be removed"),
        Ok(_) => fs::remove_file(&path).expect("a file can be removed"),
        Err(_) => {}
    };
    if let Some(from) = string("copy") {
        fs::copy(world.base.join(from), &path).expect("a file can be copied");
    } else if let Some(from) = string("move") {
        fs::rename(world.base.join(from), &path).expect("a file can be moved");
    } else if let Some(text) = string("write") {
        clear();
        fs::write(&path, text).expect("a file can be written");
    } else if let Some(to) = string("link") {
        clear();
        symlink(to.replace("{base}", &world.base.display().to_string()), &path).expect("a link can be made");
    } else if change.get("dir").is_some() {
        clear();
        fs::create_dir_all(&path).expect(made);
    } else {
        assert!(path.exists(), "{name} is there to be removed");
        clear();
    }
}
