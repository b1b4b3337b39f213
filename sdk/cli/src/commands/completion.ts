import { Argument } from 'commander';
import type { Command } from 'commander';
import type { Terminal } from '../session.ts';

const scripts = {
  bash: `_onward() {
  local IFS=$'\\n'
  COMPREPLY=($(onward complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _onward onward`,
  zsh: `#compdef onward
_onward() {
  local -a words_found
  words_found=("\${(@f)$(onward complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  compadd -a words_found
}
compdef _onward onward`,
  fish: `function __onward
  set -l words (commandline -opc) (commandline -ct)
  onward complete -- $words[2..-1] 2>/dev/null
end
complete -c onward -f -a '(__onward)'`,
} as const;

/** `onward completion <shell>`, and the hidden command that its script calls. */
export function addCompletion(program: Command, terminal: Terminal): void {
  const shells = Object.keys(scripts);
  program
    .command('completion')
    .description('prints a script that completes commands: eval "$(onward completion bash)"')
    .addArgument(new Argument('<shell>').choices(shells))
    .action((shell: keyof typeof scripts) => terminal.write(scripts[shell]));
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .action((words: string[]) => {
      for (const candidate of candidatesOf(program, words)) terminal.write(candidate);
    });
}

/** Commands or options that continue the last word. */
function candidatesOf(program: Command, words: readonly string[]): string[] {
  const last = words.at(-1) ?? '';
  let command = program;
  for (const word of words.slice(0, -1)) {
    command = command.commands.find((known) => known.name() === word) ?? command;
  }
  const names = last.startsWith('-')
    ? [...command.options, ...program.options].flatMap(({ long }) => long ?? [])
    : command.commands.map((known) => known.name()).filter((name) => name !== 'complete');
  return [...new Set(names)].filter((name) => name.startsWith(last)).sort();
}
