//! The filter of the list: words matched against names, titles and texts, and facets such as `verdict:drifted`.

use frizbee::{Config, Matcher};

use crate::check::Verdict;
use crate::handoff::{Family, Handoff};
use crate::place::{Listed, Scope};

/// What a filter asks for. All parts must fit.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Query {
    facets: Vec<(Facet, String)>,
    words: Vec<String>,
}

/// What a facet looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Facet {
    Scope,
    Family,
    Branch,
    Verdict,
}

impl Query {
    /// Reads a filter line: blanks separate, `scope:` `family:` `branch:` `verdict:` are facets, the rest words.
    /// In a facet, `_` and `-` stand for blanks: `verdict:not-resumable`.
    pub fn parse(line: &str) -> Self {
        let mut query = Self::default();
        for part in line.split_whitespace() {
            let facet = part.split_once(':').and_then(|(key, value)| {
                let facet = match key.to_ascii_lowercase().as_str() {
                    "scope" => Facet::Scope,
                    "family" => Facet::Family,
                    "branch" => Facet::Branch,
                    "verdict" => Facet::Verdict,
                    _ => return None,
                };
                Some((facet, value.to_lowercase()))
            });
            match facet {
                Some(facet) => query.facets.push(facet),
                None => query.words.push(part.to_owned()),
            }
        }
        query
    }

    /// Whether everything fits it.
    pub fn is_empty(&self) -> bool {
        self.facets.is_empty() && self.words.is_empty()
    }

    /// Whether a verdict that comes can change what fits.
    pub fn asks_for_verdicts(&self) -> bool {
        self.facets.iter().any(|(facet, _)| *facet == Facet::Verdict)
    }

    /// The words that are looked for in whole texts, lowercased.
    pub fn words(&self) -> Vec<String> {
        self.words.iter().map(|word| word.to_lowercase()).collect()
    }

    /// Whether the facets fit a row.
    pub fn facets_fit(&self, row: &Listed, verdict: Option<Verdict>) -> bool {
        self.facets.iter().all(|(facet, wanted)| match facet {
            Facet::Scope => scope_word(row.scope).starts_with(wanted.as_str()),
            Facet::Family => family_word(row.handoff.family).starts_with(wanted.as_str()),
            Facet::Branch => row
                .handoff
                .branch
                .as_ref()
                .is_some_and(|branch| branch.as_str().to_lowercase().contains(wanted)),
            Facet::Verdict => {
                let word = super::theme::verdict_word(verdict);
                word.starts_with(&wanted.replace(['_', '-'], " "))
            }
        })
    }

    /// Which of the rows fit by their words, each word for itself.
    pub fn fitting<'a>(&self, rows: impl ExactSizeIterator<Item = &'a Haystack>) -> Vec<bool> {
        let rows: Vec<&Haystack> = rows.collect();
        let mut fits = vec![true; rows.len()];
        for word in &self.words {
            let names: Vec<&str> = rows.iter().map(|row| row.names.as_str()).collect();
            let mut by_name = vec![false; rows.len()];
            for hit in Matcher::new(word.as_str(), &Config::default()).match_list(&names) {
                by_name[hit.index as usize] = true;
            }
            let lower = word.to_lowercase();
            for (n, row) in rows.iter().enumerate() {
                fits[n] &= by_name[n] || row.sentences.contains(&lower);
            }
        }
        fits
    }
}

/// What of a row the words are matched against: names fuzzily, sentences by their letters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Haystack {
    names: String,
    sentences: String,
}

impl Haystack {
    /// Of one row.
    pub fn of(row: &Listed) -> Self {
        let handoff: &Handoff = &row.handoff;
        let names = format!(
            "{} {}",
            row.relative.to_string_lossy(),
            handoff.title.as_ref().map(|title| title.plain()).unwrap_or_default()
        );
        let mut sentences = String::new();
        let texts = [&handoff.phase, &handoff.status];
        let listed = handoff.next_actions.iter().take(3).chain(handoff.blockers.iter().take(3));
        for text in texts.into_iter().flatten().chain(listed) {
            sentences.push_str(&text.plain().to_lowercase());
            sentences.push('\n');
        }
        for lane in handoff.lanes.iter().filter_map(|lane| lane.id.as_ref()) {
            sentences.push_str(&lane.as_str().to_lowercase());
            sentences.push('\n');
        }
        if let Some(branch) = &handoff.branch {
            sentences.push_str(&branch.as_str().to_lowercase());
        }
        Self { names, sentences }
    }
}

/// The word of a scope.
pub fn scope_word(scope: Scope) -> &'static str {
    match scope {
        Scope::Plan => "plan",
        Scope::Project => "project",
        Scope::Global => "global",
    }
}

/// The word of a family.
pub fn family_word(family: Family) -> &'static str {
    match family {
        Family::Thunderkit => "thunderkit",
        Family::ThunderkitLegacy => "thunderkit-legacy",
        Family::Theonekit => "theonekit",
        Family::Memtomem => "memtomem",
        Family::Freeform => "freeform",
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::*;

    fn names(line: &str) -> Vec<String> {
        let rows = fixture::rows();
        let query = Query::parse(line);
        let hay: Vec<Haystack> = rows.iter().map(|row| Haystack::of(row)).collect();
        let fits = query.fitting(hay.iter());
        let found = rows.iter().zip(fits).filter(|(row, fits)| *fits && query.facets_fit(row, None));
        found.map(|(row, _)| row.relative.to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn words_find_names_fuzzily_and_sentences_by_their_letters() {
        assert_eq!(
            names("2603auth"),
            ["plans/260325-auth/HANDOFF.md"],
            "letters of a name in order are enough"
        );
        assert_eq!(names("refresh"), ["plans/260325-auth/HANDOFF.md"], "a word of the next action is found");
        assert_eq!(names("zzzz").len(), 0, "a positive control: nonsense finds nothing");
        assert_eq!(names("").len(), fixture::rows().len(), "no words, no filter");
    }

    #[test]
    fn facets_narrow_the_list() {
        assert_eq!(names("scope:global"), ["260320-kickoff.md"], "only the global one");
        assert_eq!(names("family:thunderkit"), [".thunderkit/HANDOFF.md"], "only thunderkit's");
        assert_eq!(names("branch:auth scope:plan"), ["plans/260325-auth/HANDOFF.md"], "all facets must fit");
        assert_eq!(names("verdict:drifted").len(), 0, "an unchecked row has no verdict yet");
        assert_eq!(names("time:noon").len(), 0, "an unknown key is only a word");
    }
}
