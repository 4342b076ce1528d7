//! The screen.
//!
//! [`app`] holds the state and what is done to it: `update(state, clock, action)` gives effects and does nothing
//! else. [`view`] draws the state. [`keymap`] is the one table of keys.

pub mod action;
pub mod age;
pub mod app;
pub mod effect;
pub mod filter;
pub mod keymap;
pub mod layout;
pub mod text;
pub mod theme;
pub mod view;

#[cfg(test)]
mod fixture;
