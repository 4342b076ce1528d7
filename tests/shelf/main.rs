//! Handoffs are put away and come back: nothing is replaced, nothing is lost, everything can be undone.

mod journeys;
mod world;
