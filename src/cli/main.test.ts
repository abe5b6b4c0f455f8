// The command line: what it understands, how it says that it does not, and the codes it ends with.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import fc from 'fast-check'
import { main } from './main.ts'
import { nearest, typingErrors } from './nearest.ts'

const empty = mkdtempSync(join(tmpdir(), 'lendloom-cli-'))
after(() => rmSync(empty, { recursive: true }))

async function run(...argv: string[]): Promise<{ code: number; out: string; complaint: string }> {
  const [out, complaint]: string[][] = [[], []]
  const code = await main(argv, {
    env: { LENDLOOM_DATA_DIR: empty },
    print: (text) => out!.push(stripVTControlCharacters(text)),
    complain: (text) => complaint!.push(text),
  })
  return { code, out: out!.join('\n'), complaint: complaint!.join('\n') }
}

test('alone it lists the commands, with help it explains one', async () => {
  const overview = await run()
  assert.equal(overview.code, 0)
  assert.match(overview.out, /^ {2}start +run everything, until told to stop$/m)
  assert.deepEqual(await run('--help'), overview)
  assert.deepEqual(await run('help'), overview)
  const explained = await run('help', 'start')
  assert.match(explained.out, /lendloom start \[--logs\] \[--watch\]/)
  assert.match(explained.out, /--json +print JSON, errors too/)
  assert.deepEqual(await run('start', '-h'), explained)
  const group = await run('help', 'webhook')
  assert.match(group.out, /^ {2}lendloom webhook add <url>/m)
  for (const way of [['webhook'], ['webhook', 'help'], ['webhook', '--help']])
    assert.deepEqual(await run(...way), group)
})

test('--version says which release it is', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  assert.deepEqual(await run('--version'), { code: 0, out: version, complaint: '' })
})

test('a misspelt command is answered with the one that was meant', async () => {
  const misspelt = await run('strat')
  assert.deepEqual(misspelt, {
    code: 2,
    out: '',
    complaint: 'lendloom: there is no command "strat"; did you mean "start"?',
  })
  assert.match((await run('xyzzy')).complaint, /see lendloom help$/)
})

test('an unknown option is refused, as JSON when JSON was asked for', async () => {
  const refused = await run('migrate', '--progam', 'platform', '--json')
  assert.equal(refused.code, 2)
  const { error } = JSON.parse(refused.complaint)
  assert.equal(error.code, 'usage')
  assert.match(error.message, /Unknown option '--progam'; see lendloom help migrate/)
  assert.match(
    (await run('migrate', '--program', 'moon')).complaint,
    /must be platform, partner or sandbox, not "moon"/,
  )
})

test('without a database a command says how to get one', async () => {
  const { code, complaint } = await run('migrate')
  assert.equal(code, 1)
  assert.match(complaint, /nothing runs on .+; start Lendloom in another window \(npm start\) or set DATABASE_URL$/)
})

test('typing errors are counted as a distance: nothing from a word to itself, the same there and back', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 8 }), fc.string({ maxLength: 8 }), (one, other) => {
      const errors = typingErrors(one, other)
      assert.equal(errors === 0, one === other)
      assert.equal(errors, typingErrors(other, one))
      assert.ok(errors <= Math.max(one.length, other.length))
    }),
  )
  assert.equal(nearest('mgirate', ['migrate', 'start']), 'migrate')
  assert.equal(nearest('go', ['key']), null)
})

test('network flows lists what the network publishes, spoken or not, without a database', async () => {
  const { code, out } = await run('network', 'flows')
  assert.equal(code, 0)
  assert.match(out, /^personal-loan-bureau +2\.0\.3 +§8\.1 +yes +/m)
  assert.match(out, /^credit-card +2\.0\.3 +§22 +no +.*: offers without amounts are not built$/m)
  const flows = JSON.parse((await run('network', 'flows', '--json')).out)
  assert.deepEqual(Object.keys(flows[0]), ['id', 'product', 'version', 'section', 'about', 'spoken', 'why'])
})
