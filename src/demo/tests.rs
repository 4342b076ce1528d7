use super::*;
use std::os::unix::fs::PermissionsExt;

fn laid_out() -> Demo {
    let program = std::env::current_exe().unwrap();
    Demo::lay_out(Clock { unix: 1_796_000_000, east: 0 }, &program).expect("the sample can be laid out")
}

#[test]
fn everything_lies_below_the_temporary_directory_and_goes_with_it() {
    let demo = laid_out();
    let root = demo.project().parent().unwrap().to_owned();
    assert!(demo.project().join(".thunderkit/HANDOFF.md").is_file(), "the project has its handoff");
    for (name, value) in
        demo.vars(&BTreeMap::from([("TERM".into(), "xterm".into()), ("HOME".into(), "/h".into())]))
    {
        if name != "TERM" {
            assert!(Path::new(&value).starts_with(&root), "{name:?} points into the sample: {value:?}");
        }
    }
    drop(demo);
    assert!(!root.exists(), "the sample is removed at the end");
}

#[test]
fn the_stand_in_appends_one_turn_to_the_same_session() {
    let demo = laid_out();
    let store = demo.project().parent().unwrap().join("home/.claude");
    let id = "3f0c8a52-7d1e-4b7a-9c55-0d8f2f1b6a11";
    let args = ["-p", "--resume", id].map(str::to_owned);
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let code = stand_in::run(&args, &store, &mut "go on".as_bytes(), &mut out, &mut err);
    assert_eq!(code, 0, "it answers: {}", String::from_utf8_lossy(&err));
    assert_eq!(
        String::from_utf8_lossy(&out),
        "Turn 3 of this session. You said: go on\n",
        "with the session's memory"
    );

    let (mut out, mut err) = (Vec::new(), Vec::new());
    let code = stand_in::run(&args, &store, &mut "".as_bytes(), &mut out, &mut err);
    assert_eq!(code, 1, "an empty prompt is refused, as the real client does");
    let unknown = ["-p", "--resume", "00000000-0000-4000-8000-000000000000"].map(str::to_owned);
    assert_eq!(
        stand_in::run(&unknown, &store, &mut "x".as_bytes(), &mut out, &mut err),
        1,
        "an unknown id too"
    );
}

#[test]
fn the_stand_in_is_a_program_of_its_own_package() {
    let demo = laid_out();
    let claude = demo.project().parent().unwrap().join("bin/claude");
    let real = std::fs::canonicalize(&claude).unwrap();
    assert!(real.metadata().unwrap().permissions().mode() & 0o111 != 0, "it can be executed");
    assert!(real.with_file_name("package.json").is_file(), "its version can be read beside it");
    assert!(stand_in::is_named(Some(claude.as_os_str())), "its name is what makes it the stand-in");
    assert!(!stand_in::is_named(Some("/usr/bin/moorline".as_ref())), "and moorline is none under its own");
}

#[test]
fn pager_and_editor_are_the_persons_own_and_a_harness_is_the_stand_in_all_the_same() {
    let demo = laid_out();
    let own = tempfile::tempdir().unwrap();
    let bin = own.path().canonicalize().unwrap();
    for name in ["less", "vi", "my-editor", "claude"] {
        std::fs::write(bin.join(name), "#!/bin/sh\n").unwrap();
        std::fs::set_permissions(bin.join(name), std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    let vars = |own: &[(&str, &str)]| {
        let own = own.iter().map(|(name, value)| (OsString::from(name), OsString::from(value)));
        demo.vars(&own.chain([("PATH".into(), bin.clone().into_os_string())]).collect())
    };
    let whole = |name: &str| format!("{}/{name}", bin.display());
    let said = |vars: &BTreeMap<OsString, OsString>, name: &str| {
        vars.get(OsStr::new(name)).map(|value| value.to_string_lossy().into_owned())
    };
    let plain = vars(&[]);
    assert_eq!(said(&plain, "PAGER"), Some(whole("less")), "the usual pager, where the person has it");
    assert_eq!(said(&plain, "VISUAL"), Some(whole("vi")), "and the usual editor");
    let named = vars(&[("EDITOR", "my-editor --wait"), ("PAGER", "gone -R")]);
    assert_eq!(said(&named, "EDITOR"), Some(whole("my-editor --wait")), "the one that is named");
    assert_eq!(said(&named, "VISUAL"), None, "and no other one before it");
    assert_eq!(said(&named, "PAGER").as_deref(), Some("gone -R"), "one that is not found is said as it was");
    let around = Surroundings { vars: plain, ..Surroundings::default() };
    let Answer::Found(claude) = harness::program(&around, "claude", &[]) else {
        panic!("a control: there is one")
    };
    assert!(!claude.path.starts_with(&bin), "a harness is the sample's: {}", claude.path.display());
    assert!(!matches!(harness::program(&around, "vi", &[]), Answer::Found(_)), "nothing else is in its PATH");
}
