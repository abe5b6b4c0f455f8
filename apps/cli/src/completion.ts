// `lendloom completion …`: prints a shell script that contains all commands, so that completion runs no process.

import { command, type Group } from './command.ts'
import { bashScript } from './completion/bash.ts'
import { fishScript } from './completion/fish.ts'
import { type CommandIndex, type CommandLinePosition, places } from './completion/tree.ts'
import { zshScript } from './completion/zsh.ts'

const shells = {
  bash: {
    script: bashScript,
    install: 'lendloom completion bash > ~/.local/share/bash-completion/completions/lendloom',
  },
  zsh: { script: zshScript, install: 'lendloom completion zsh > a file _lendloom in a folder of $fpath' },
  fish: { script: fishScript, install: 'lendloom completion fish > ~/.config/fish/completions/lendloom.fish' },
} satisfies Record<string, { script: (places: CommandLinePosition[]) => string; install: string }>

/** The commands that print the completion script of each shell. */
export const completionGroup = (known: CommandIndex): Group => ({
  name: 'completion',
  summary: 'shell completion for bash, zsh and fish',
  commands: Object.entries(shells).map(([shell, { script, install }]) =>
    command({
      name: `completion ${shell}`,
      summary: `print the script for ${shell}; to install it: ${install}`,
      usage: '',
      options: {},
      async run() {
        const text = script(await places(known))
        return { text, data: { shell, script: text } }
      },
    }),
  ),
})
