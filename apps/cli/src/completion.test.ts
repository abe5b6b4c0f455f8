// The completion scripts in real shells.
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { common } from './commands.ts'
import { commandNames, places } from './completion/tree.ts'
import { completionGroup } from './completion.ts'
import { commands, main } from './main.ts'

const folder = mkdtempSync(join(tmpdir(), 'lendloom-completion-'))
after(() => rmSync(folder, { recursive: true }))
const run = promisify(execFile)

async function scriptFor(shell: string): Promise<string> {
  let script = ''
  const terminal = {
    env: {},
    print(text: string) {
      script = text
    },
    complain: assert.fail,
  }
  assert.equal(await main(['completion', shell], terminal), 0)
  const file = join(folder, shell)
  writeFileSync(file, `${script}\n`)
  return file
}

/** Skips a test if the shell is not installed. */
const skipWithout = (shell: string): { skip: string | false } => ({
  skip: spawnSync(shell, ['--version']).error ? `${shell} is not installed here` : false,
})

test('bash completes commands, sub-commands, options and their values', skipWithout('bash'), async () => {
  const file = await scriptFor('bash')
  async function completionsOf(...words: string[]): Promise<string[]> {
    const typed = ['lendloom', ...words]
    const code = `source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _lendloom; printf '%s\\n' "\${COMPREPLY[@]}"`
    const { stdout } = await run('bash', ['--noprofile', '--norc', '-c', code, file, ...typed])
    return stdout.split('\n').filter((line) => line !== '')
  }
  const first = await completionsOf('')
  for (const name of [...Object.keys(commands), 'help']) assert.ok(first.includes(name), name)
  assert.deepEqual(await completionsOf('webh'), ['webhook'])
  assert.deepEqual(await completionsOf('help', 'webhook', 'pa'), ['pause'])
  assert.deepEqual(await completionsOf('webhook', 'replays', 'res'), ['resume'])
  assert.deepEqual(await completionsOf('webhook', 'pause', 'an-id', '--te'), ['--tenant'])
  assert.deepEqual(await completionsOf('webhook', 'pause', '--tenant', ''), [])
  assert.deepEqual(await completionsOf('webhook', 'replays', 'begin', '--state', 'EX'), ['EXHAUSTED'])
  assert.deepEqual(await completionsOf('key', '--'), ['--help', '--json', '--context'])
  assert.deepEqual(await completionsOf('webhook', 'check-signature', '--body', join(folder, 'ba')), [file])
  for (const { path, options } of await places({ commands, common })) {
    if (!['webhook deliveries', 'network issue raise'].includes(path)) continue
    const dashed = await completionsOf(...path.split(' '), '--')
    assert.deepEqual(
      dashed,
      options.map(({ word }) => word),
      path,
    )
  }
})

test('zsh completes commands with their descriptions', skipWithout('zsh'), async () => {
  const file = await scriptFor('zsh')
  const code = `autoload -U compinit; compinit -D -u; source "$1"; _describe() { [[ $1 == -o ]] && shift; print -l -- "\${(@P)2}" }; words=(lendloom webhook ''); CURRENT=3; _lendloom`
  const { stdout } = await run('zsh', ['-f', '-c', code, 'zsh', file])
  assert.match(stdout, /^pause:let deliveries to an endpoint wait/m)
})

test('fish completes commands with their descriptions, options and their values', skipWithout('fish'), async () => {
  const file = await scriptFor('fish')
  const completionsOf = async (line: string) =>
    (await run('fish', ['-N', '-c', `source "$argv[1]"; complete -C "$argv[2]"`, file, line])).stdout
  assert.match(await completionsOf('lendloom webhook pa'), /^pause\tlet deliveries to an endpoint wait/m)
  assert.match(await completionsOf('lendloom webhook pause --te'), /^--tenant\t/m)
  assert.match(await completionsOf('lendloom webhook replays begin --state EX'), /^EXHAUSTED/m)
})

test('the help of each completion command says how to install the script', async () => {
  const names = await commandNames({ commands, common })
  for (const { name, summary } of completionGroup({ commands, common }).commands) {
    assert.match(summary, new RegExp(`to install it: lendloom ${name} > `))
    assert.ok(names.includes(name))
  }
})
