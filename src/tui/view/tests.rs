//! Every panel and overlay, drawn at many sizes.

use ratatui::style::Modifier;

use super::super::effect::{Effect, SaveOrder};
use super::super::fixture::{Stage, text_of};
use super::super::keymap::takes_text;
use super::super::theme::{ASCII, Theme, UNICODE};

/// Ways to each place of the screen.
const PLACES: &[(&str, &str)] = &[
    ("list", ""),
    ("detail", "<enter>"),
    ("lanes", "jj<enter>"),
    ("checks", "<enter><tab>"),
    ("drift", "<enter><tab><tab>"),
    ("find", "/auth"),
    ("help", "?"),
    ("source", "<enter><tab><enter>"),
    ("why_not", "jj<enter>jj<enter>"),
    ("unlisted", "u"),
    ("block", "c"),
    ("remote", "R"),
    ("remote-said", "Ry"),
    ("prompt", "jj<enter><enter>go on"),
    ("running", "jj<enter><enter>go on<enter>"),
    ("lookup", "jj<enter>ltoken store"),
    ("versions", "d"),
    ("save", "s"),
    ("save_words", "s<down><down><down>Count them<enter>Then sell<ctrl-o>"),
    ("save_lanes", "jjs9 Execute<tab>Count them<tab><tab><tab><tab><tab><tab><right>"),
    ("save_sessions", "jjs<pgdn><tab><tab><enter>"),
    ("save_preview", "sTokens<ctrl-o><ctrl-s>"),
    ("saved", "sTokens<ctrl-s>y"),
    ("marks", "<space>j<space>"),
    ("shelf_plan", "*A"),
    ("shelf_done", "*Ay"),
];

#[test]
fn every_place_looks_as_agreed_at_every_usual_size() {
    for (name, keys) in PLACES {
        for (width, height) in [(120, 30), (80, 24), (50, 20), (40, 10), (200, 60)] {
            if width == 200 && *name != "list" {
                continue;
            }
            let mut stage = Stage::new(width, height);
            stage.keys(keys);
            insta::assert_snapshot!(format!("{name}_{width}x{height}"), stage.screen());
        }
    }
}

#[test]
fn every_place_draws_at_every_size() {
    for (name, keys) in PLACES {
        let mut stage = Stage::new(80, 24);
        stage.keys(keys);
        let sizes = (0..=40).flat_map(|w| (0..=20).map(move |h| (w, h)));
        for size in sizes.chain([(1, 500), (500, 1), (65535, 1)]) {
            stage.size = size;
            let buf = stage.draw();
            assert_eq!((buf.area.width, buf.area.height), size, "{name} draws at {size:?}");
        }
    }
}

#[test]
fn many_sizes_while_scrolling_are_survived() {
    resizes(700);
}

#[test]
#[ignore = "a minute: the same ten thousand times"]
fn ten_thousand_sizes_while_scrolling_are_survived() {
    resizes(10_000);
}

fn resizes(rounds: usize) {
    // The same sizes each time: a generator of numbers with a fixed beginning.
    let mut seed = 0x2545_F491_u32;
    let mut next = |most: u32| {
        seed ^= seed << 13;
        seed ^= seed >> 17;
        seed ^= seed << 5;
        seed % most
    };
    let keys = ["j", "k", "<pgdn>", "<pgup>", "<tab>", "G", "g", "<esc>", "?", "c", "/", "x"];
    let mut stage = Stage::new(80, 24);
    for round in 0..rounds {
        let size = (next(200), next(70));
        stage.size = (u16::try_from(size.0).unwrap(), u16::try_from(size.1).unwrap());
        // Each key draws; the areas of the picture before are stale by then.
        stage.keys(keys[next(keys.len() as u32) as usize]);
        assert!(
            stage.state.list.offset <= 100 && stage.state.overlay_top <= 1_000,
            "round {round} at {size:?}"
        );
    }
    stage.size = (120, 30);
    stage.keys("<esc><esc><esc><esc>");
    assert!(stage.screen().contains("PLAN-SCOPED"), "and the screen is whole afterwards");
}

#[test]
fn a_paste_of_every_letter_does_nothing_on_any_screen() {
    let letters: String = (0..0x7F_u8).map(char::from).collect();
    for (name, keys) in PLACES {
        let mut stage = Stage::new(120, 30);
        stage.keys(keys);
        stage.silent = true;
        stage.effects.clear();
        let (context, before) = (stage.state.context(), stage.screen());
        stage.act(super::super::action::Action::Paste(letters.repeat(1_000)));
        assert_eq!(stage.state.context(), context, "{name}: the paste leads nowhere");
        // Words in an input are looked for, or sketched; neither does anything.
        let is_idle = |effect: &&Effect| {
            matches!(effect, Effect::Search(..) | Effect::Save(_, SaveOrder::Sketch(_) | SaveOrder::Keep(_)))
        };
        let acts = stage.effects.iter().filter(|effect| !is_idle(effect));
        assert_eq!(acts.count(), 0, "{name}: and nothing is done: {:?}", stage.effects);
        if !takes_text(context) {
            assert_eq!(stage.screen(), before, "{name}: it is not even seen");
        }
    }
}

#[test]
fn a_window_too_small_still_says_what_is_selected() {
    let mut stage = Stage::new(60, 3);
    assert_eq!(stage.screen().lines().next(), Some("too small: ≠ drifted 260325-auth"), "one honest line");
}

#[test]
fn a_window_too_small_says_so_at_any_width_and_takes_only_ways_out() {
    let mut stage = Stage::new(120, 30);
    stage.size = (19, 5);
    assert!(stage.screen().starts_with("too small"), "the reason comes first:\n{}", stage.screen());
    stage.keys("j?c/");
    assert_eq!(stage.selected(), "plans/260325-auth/HANDOFF.md", "what cannot be seen is not moved");
    assert!(stage.state.overlay.is_none() && !stage.state.finding, "and nothing opens behind the line");
    stage.keys("q");
    assert!(
        matches!(stage.effects.last(), Some(super::super::effect::Effect::Quit)),
        "leaving works everywhere"
    );
    stage.size = (120, 30);
    stage.draw();
    stage.keys("j");
    assert_eq!(stage.selected(), "plans/260323-db-schema/HANDOFF.md", "a larger window takes keys again");
}

#[test]
fn the_key_of_the_yes_is_called_what_it_does() {
    let mut stage = Stage::new(50, 20);
    stage.keys("jj<enter><enter>go on");
    let screen = stage.screen();
    assert!(screen.contains("⏎ read on (") && screen.contains("more)  esc close"), "unread lines:\n{screen}");
    assert!(!screen.contains("⏎ resume"), "no yes is promised before all was seen");
    stage.keys("<enter>");
    let screen = stage.screen();
    assert!(screen.contains("⏎ resume") && !screen.contains("read on"), "then the yes:\n{screen}");
}

#[test]
fn rows_of_one_name_are_told_apart_by_their_paths() {
    let mut stage = Stage::new(120, 30);
    for folder in [".claude", ".codex"] {
        let mut row = (*super::super::fixture::rows()[3]).clone();
        row.relative = format!("{folder}/handoffs/login.md").into();
        row.path = row.root.join(&row.relative);
        stage.rows.push(row.into());
    }
    stage.keys("r");
    let screen = stage.screen();
    assert!(screen.contains(".claude/") && screen.contains(".codex/"), "both paths are seen:\n{screen}");
    stage.rows.pop();
    stage.keys("r");
    let screen = stage.screen();
    assert!(screen.contains(" login ") && !screen.contains(".claude/"), "one alone is short:\n{screen}");
}

#[test]
fn one_handoff_in_each_of_many_worktrees_is_told_apart_by_the_worktree() {
    for (width, height) in [(120, 30), (80, 24)] {
        let mut stage = Stage::new(width, height);
        let docs = super::super::fixture::rows()[3].clone();
        let in_worktree = |name: &str| {
            let mut row = (*docs).clone();
            row.root = std::path::Path::new("/home/ada/src").join(name);
            row.relative = "HANDOFF.md".into();
            row.path = row.root.join("HANDOFF.md");
            std::sync::Arc::new(row)
        };
        stage.rows = ["api", "api-tokens", "api-parser", "api-leak", "api-authentication", "old-api"]
            .map(in_worktree)
            .into();
        stage.keys("r");
        let screen = stage.screen();
        let list: Vec<_> = screen.lines().filter_map(|line| line.split('│').next()).collect();
        let list = list.join("\n");
        for apart in ["? HANDOFF.md ", "tokens: ", "parser: ", "leak: ", "authen", " old-api: "] {
            assert_eq!(list.matches(apart).count(), 1, "one row is {apart:?} at {width}x{height}:\n{screen}");
        }
        insta::assert_snapshot!(format!("worktrees_{width}x{height}"), screen);
    }
}

#[test]
fn that_there_is_no_blocker_is_told_from_that_nobody_said() {
    use super::super::app::Body;
    let mut stage = Stage::new(120, 30);
    let line = |stage: &mut Stage| {
        let screen = stage.screen();
        screen.lines().find(|line| line.contains("Blockers")).expect("the detail has blockers").to_owned()
    };
    assert!(
        line(&mut stage).contains("– not recorded"),
        "the text has no such section: {}",
        line(&mut stage)
    );
    let (_, body) = stage.state.body.as_mut().expect("the text is there");
    let Body::Loaded(text) = body.clone() else { panic!("it is read: {body:?}") };
    let says = format!("{}\n## Blockers\n\n- none\n", text.body);
    *body = Body::Loaded(super::super::action::Text { body: says.as_str().into(), ..text });
    assert!(line(&mut stage).contains("– none"), "the text says so: {}", line(&mut stage));
    stage.state.body.as_mut().expect("the text is there").1 = Body::Loading;
    assert!(line(&mut stage).contains("– not read"), "what is not read says nothing: {}", line(&mut stage));
}

#[test]
fn a_day_without_an_hour_and_one_ahead_are_told_as_such() {
    let mut stage = Stage::new(120, 30);
    for (day, short, long) in [
        ("2026-03-25", " today ", "saved today ("),
        ("2026-03-24", "   1d ", "saved yesterday ("),
        ("2026-04-18", " +24d ", "says it was saved in 24 d ("),
    ] {
        let mut row = (*super::super::fixture::rows()[3]).clone();
        row.saved_at.moment = crate::handoff::Moment::Day(day.parse().expect("a day"), None);
        stage.rows = vec![row.into()];
        stage.keys("r");
        let screen = stage.screen();
        assert!(screen.contains(short), "the list says{short}of {day}:\n{screen}");
        assert!(screen.contains(long), "the detail says {long:?} of {day}:\n{screen}");
    }
}

#[test]
fn the_whole_help_can_be_read_at_any_usual_width() {
    for width in [80, 50] {
        let mut stage = Stage::new(width, 400);
        stage.keys("?");
        let screen = stage.screen();
        let screen = screen.split(['╭', '╰']).nth(1).expect("the help stands in a box");
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let flat = words(&screen.replace('│', " "));
        for entry in stage.state.keymap.entries() {
            assert!(
                flat.contains(&words(entry.what)),
                "all of {:?} at {width} columns:\n{screen}",
                entry.what
            );
        }
        let is_whole = |sign: &str| flat.contains(sign);
        let signs = ["≠ drifted", "▶ running", "■ completed", "✗ not resumable", "– not applicable"];
        assert!(signs.into_iter().all(is_whole), "and every sign at {width} columns:\n{screen}");
        assert!(!screen.contains("… │"), "nothing is cut at {width} columns:\n{screen}");
    }
}

#[test]
fn a_key_with_nothing_to_show_says_so() {
    let mut stage = Stage::new(120, 30);
    stage.keys("a");
    assert!(stage.screen().contains("Nothing is archived or in the trash."), "nothing was put away");
    stage.state.list.skipped.clear();
    stage.keys("u");
    assert!(stage.screen().contains("Nothing was left out"), "nothing is unlisted:\n{}", stage.screen());
}

#[test]
fn the_help_has_each_key_once_per_place() {
    let mut stage = Stage::new(120, 200);
    stage.keys("?");
    let screen = stage.screen();
    let panes = screen.split("In the panes").nth(1).and_then(|rest| rest.split("While filtering").next());
    let panes = panes.expect("the help begins with the panes");
    assert_eq!(panes.matches("   esc ").count(), 1, "one line for esc:\n{panes}");
    assert!(panes.contains("in the detail or the block: open"), "o says where it works:\n{panes}");
}

#[test]
fn without_colour_no_cell_has_one_and_the_selection_is_still_seen() {
    for (name, keys) in PLACES {
        let mut stage = Stage::new(120, 30);
        stage.theme = Theme { colour: false, glyphs: &UNICODE };
        stage.keys(keys);
        let buf = stage.draw();
        let plain = |cell: &ratatui::buffer::Cell| {
            let none = ratatui::style::Color::Reset;
            cell.fg == none && cell.bg == none
        };
        assert!(buf.content.iter().all(plain), "{name} is drawn without colours");
        if *name == "list" {
            let reversed =
                buf.content.iter().filter(|cell| cell.modifier.contains(Modifier::REVERSED)).count();
            assert!(reversed >= 40, "the selected row is reversed");
            assert!(text_of(&buf).contains("▌≠"), "and has a bar");
        }
    }
    let mut stage = Stage::new(120, 30);
    assert!(
        stage.draw().content.iter().any(|cell| cell.fg != ratatui::style::Color::Reset),
        "a positive control: with colours there are some"
    );
}

#[test]
fn an_ascii_terminal_gets_nothing_but_ascii() {
    for (name, keys) in PLACES {
        let mut stage = Stage::new(120, 30);
        stage.theme = Theme { colour: true, glyphs: &ASCII };
        stage.keys(keys);
        assert!(stage.screen().is_ascii(), "{name} is ASCII:\n{}", stage.screen());
    }
}

#[test]
fn the_rules_stand_in_one_column_whatever_the_text_is() {
    for size in [(120, 30), (80, 24)] {
        let mut stage = Stage::new(size.0, size.1);
        let rows = super::super::fixture::rows();
        let mut odd = (*rows[1]).clone();
        odd.handoff.phase =
            Some("漢字 👩\u{200d}💻 ✔\u{fe0f} مرحبا e\u{301}\u{301} 👍🏽 🇩🇪 \u{1100}\u{1161}".into());
        odd.relative = "plans/漢字漢字漢字漢字漢字漢字/HANDOFF.md".into();
        stage.rows[1] = odd.into();
        stage.keys("r");
        let buf = stage.draw();
        let bars: Vec<u16> = (2..size.1 - 2)
            .filter_map(|y| (0..size.0).find(|&x| matches!(buf[(x, y)].symbol(), "│" | "├")))
            .collect();
        assert!(bars.len() > 10 && bars.iter().all(|x| *x == bars[0]), "one straight rule: {bars:?}");
    }
}

#[test]
fn hostile_text_reaches_no_cell() {
    let mut hostile = String::from("start ");
    hostile.extend((0..0x20).chain(0x7f..0xa0).filter_map(char::from_u32).filter(|c| *c != '\n'));
    hostile.push_str(
        "\u{200b}\u{200e}\u{202a}\u{202e}\u{2066}\u{2069}\u{feff}\u{ad}\u{34f}\u{3164}\u{2028}\u{2029}",
    );
    hostile.extend((0xe0000..0xe0080).filter_map(char::from_u32));
    hostile.push_str("\u{1b}[31m\u{1b}]52;c;aGk=\u{7}\u{9b}2J e");
    hostile.extend(std::iter::repeat_n('\u{301}', 5_000));
    hostile.push_str(&"long ".repeat(6_000));
    let mut stage = Stage::new(120, 30);
    let mut rows = super::super::fixture::rows();
    for row in &mut rows {
        let mut bad = (**row).clone();
        bad.handoff.title = Some(hostile.as_str().into());
        bad.handoff.phase = Some(hostile.as_str().into());
        bad.handoff.next_actions = vec![hostile.as_str().into(); 3];
        bad.handoff.blockers = vec![hostile.as_str().into()];
        *row = bad.into();
    }
    stage.rows = rows;
    for (name, keys) in PLACES {
        stage.keys("<esc><esc><esc>r").keys(keys);
        for size in [(120, 30), (80, 24), (50, 20), (20, 6)] {
            stage.size = size;
            let buf = stage.draw();
            for cell in &buf.content {
                let bad = cell.symbol().chars().any(|c| c.is_control() || crate::handoff::inert::is_odd(c));
                assert!(!bad && cell.symbol().chars().count() <= 12, "{name}: {:?} in a cell", cell.symbol());
            }
        }
        stage.size = (120, 30);
        if *name == "running" {
            break;
        }
    }
}

#[test]
fn an_empty_list_teaches() {
    let mut stage = Stage::unread(120, 30);
    assert!(stage.screen().contains("Looking for handoffs"), "before the scan ends, that is said");
    stage.rows.clear();
    stage.keys("r");
    let screen = stage.screen();
    assert!(
        screen.contains("No handoffs here yet") && screen.contains("moorline demo"),
        "then what to do:\n{screen}"
    );
}

#[test]
fn every_key_of_the_table_stands_in_the_help() {
    let mut stage = Stage::new(120, 200);
    stage.keys("?");
    let screen = stage.screen();
    for entry in stage.state.keymap.entries() {
        assert!(screen.contains(entry.what), "`{}` is explained", entry.word);
        assert!(
            entry.keys.iter().all(|key| screen.contains(&super::footer::label(&key.to_string(), true))),
            "{}",
            entry.word
        );
    }
}
