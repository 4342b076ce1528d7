//! Saves: what was said and what is true, in a file that its own reader reads back, or a reason why not.

mod asked;
mod chain;
mod cleared;
mod guesses;
mod ignored;
mod journeys;
mod memtomem;
mod names;
#[path = "../common/nobody.rs"]
mod nobody;
mod odd;
mod places;
mod refused;
mod secrets;
mod theonekit;
mod thunderkit;
#[path = "../common/true_project.rs"]
mod true_project;
mod verb;

use true_project::git;
