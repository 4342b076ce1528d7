//! `moorline completions` and `moorline man`: what a shell and `man` want to know of the command line.

use std::io::Write;

use clap::CommandFactory;

use super::args::{CommandLine, Completions};
use super::{Answer, Stop};

/// Prints a shell's completions.
pub fn completions(args: &Completions, out: &mut dyn Write) -> Result<Answer, Stop> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut CommandLine::command(), "moorline", &mut script);
    out.write_all(&script)?;
    Ok(Answer::Yes)
}

/// Prints the manual page, then one page for each verb.
pub fn page(out: &mut dyn Write) -> Result<Answer, Stop> {
    let mut command = CommandLine::command().disable_help_subcommand(true);
    // Building names each verb's page `moorline-VERB`.
    command.build();
    clap_mangen::Man::new(command.clone()).render(out)?;
    for verb in command.get_subcommands() {
        clap_mangen::Man::new(verb.clone()).render(out)?;
    }
    Ok(Answer::Yes)
}
