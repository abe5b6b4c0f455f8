// The command line: parsing, error messages and exit codes.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import fc from 'fast-check'
import { main } from './main.ts'
import { nearest, typingErrors } from './nearest.ts'
import { gistOf } from './network/gist.ts'
import { withoutControls } from './terminal.ts'

const emptyFolder = mkdtempSync(join(tmpdir(), 'lendloom-cli-'))
after(() => rmSync(emptyFolder, { recursive: true }))

async function run(...argv: string[]): Promise<{ code: number; out: string; complaint: string }> {
  const out: string[] = []
  const complaint: string[] = []
  const code = await main(argv, {
    env: { LENDLOOM_DATA_DIR: emptyFolder },
    print: (text) => out.push(stripVTControlCharacters(text)),
    complain: (text) => complaint.push(text),
  })
  return { code, out: out.join('\n'), complaint: complaint.join('\n') }
}

test('without arguments it lists the commands, and `help` explains a command', async () => {
  const overview = await run()
  assert.equal(overview.code, 0)
  assert.match(overview.out, /^ {2}start +run everything until interrupted$/m)
  assert.deepEqual(await run('--help'), overview)
  assert.deepEqual(await run('help'), overview)
  const explained = await run('help', 'start')
  assert.match(explained.out, /lendloom start \[--logs\] \[--watch\]/)
  assert.match(explained.out, /--json +print JSON, also for errors/)
  assert.deepEqual(await run('start', '-h'), explained)
  const group = await run('help', 'webhook')
  assert.match(group.out, /^ {2}lendloom webhook add <url>/m)
  for (const words of [['webhook'], ['webhook', 'help'], ['webhook', '--help']])
    assert.deepEqual(await run(...words), group)
})

test('a nested group lists its commands, each with a help page', async () => {
  const group = await run('help', 'network', 'issue')
  assert.match(group.out, /^ {2}lendloom network issue close <complaintId> \[--rating up\|down\]$/m)
  for (const words of [
    ['network', 'issue'],
    ['network', 'issue', '--help'],
  ])
    assert.deepEqual(await run(...words), group)
  const names = [...group.out.matchAll(/^ {2}lendloom network issue (\w+)/gm)].map(([, name]) => name!)
  assert.deepEqual(names, ['raise', 'list', 'show', 'reply', 'escalate', 'close'])
  for (const name of names)
    assert.match((await run('network', 'issue', name, '--help')).out, new RegExp(`lendloom network issue ${name} `))
  const close = await run('help', 'network', 'issue', 'close')
  assert.match(close.out, /--rating <up\|down> +up or down: whether the resolution helped/)
  assert.doesNotMatch(close.out, /--about|--text/)
  const misspelt = await run('network', 'issue', 'rais')
  assert.equal(misspelt.code, 2)
  assert.equal(misspelt.out, '')
  assert.match(misspelt.complaint, /did you mean "network issue raise"\?$/)
})

test('--version prints the release', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))
  assert.deepEqual(await run('--version'), { code: 0, out: version, complaint: '' })
})

test('an error about a misspelt command suggests the nearest one', async () => {
  const misspelt = await run('strat')
  assert.deepEqual(misspelt, {
    code: 2,
    out: '',
    complaint: 'lendloom: unknown command "strat"; did you mean "start"?',
  })
  assert.match((await run('xyzzy')).complaint, /see lendloom help$/)
})

test('an unknown option is refused, in JSON with --json', async () => {
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

test('without a database a command says how to start or configure one', async () => {
  const { code, complaint } = await run('migrate')
  assert.equal(code, 1)
  assert.match(complaint, /nothing runs on .+; start Lendloom in another window \(npm start\) or set DATABASE_URL$/)
})

test('the distance of two words is symmetric, and zero only for equal words', () => {
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

test('`network flows` lists all published flows without a database', async () => {
  const { code, out } = await run('network', 'flows')
  assert.equal(code, 0)
  assert.match(out, /^personal-loan-bureau +2\.0\.3 +§8\.1 +yes +/m)
  assert.match(out, /^FLOW +VERSION +FIS12 +SUPPORTED +ABOUT +REASON +OFFICIAL ID$/m)
  for (const line of out.split('\n')) assert.ok(line.length <= 120, line)
  const {
    items: flows,
  }: { items: { id: string; version: string; spoken: string; official: string[]; why: string }[] } = JSON.parse(
    (await run('network', 'flows', '--json')).out,
  )
  const creditCard = flows.find(({ id }) => id === 'credit-card')
  assert.equal(creditCard?.why, 'offers without amounts are not supported')
  assert.deepEqual(creditCard?.official, ['Credit_Card'])
  const keys = ['id', 'product', 'version', 'section', 'about', 'spoken', 'why', 'official']
  assert.deepEqual(Object.keys(flows[0]!), keys)
  const official = flows.flatMap(({ version, official }) => official.map((id) => `${version} ${id}`))
  assert.equal(official.length, 80)
  assert.equal(new Set(official).size, 79, 'no version has an id twice, except Personal_Loan_Offline of 2.0.3')
  for (const { id, spoken, official, why } of flows)
    if (spoken === 'yes' && official.length === 0) assert.match(why, /publishes no/, id)
})

test('an option that takes one value cannot be given twice, nor beside its opposite', async () => {
  const twice = await run('journey', 'list', '--status', 'OFFERED', '--status', 'STARTED')
  assert.equal(twice.code, 2)
  assert.match(twice.complaint, /--status is given twice/)
  const both = await run('webhook', 'change', 'x', '--tenant', 'x', '--no-status', '--status', 'OFFERED')
  assert.match(both.complaint, /--status and --no-status exclude each other/)
})

test('names of properties that every object has are unknown commands', async () => {
  for (const name of ['constructor', '__proto__', 'toString']) {
    const refused = await run(name)
    assert.equal(refused.code, 2, name)
    assert.match(refused.complaint, /unknown command/)
  }
})

test('terminal control sequences of a lender are replaced, but our colours stay', () => {
  const error = { code: '1\u001b[2J\u001b]0;title\u0007\u009b1A\rok' }
  const gist = gistOf(JSON.stringify({ error }))
  assert.equal(withoutControls(gist), 'error 1\ufffd[2J\ufffd]0;title\ufffd\ufffd1A\ufffdok')
  const ownText = 'a\tb\r\n\u001b[1;31mred\u001b[39m'
  assert.equal(withoutControls(ownText), ownText)
  assert.equal(withoutControls('paid \u202e001 \u2066x\u2069 क्\u200dष'), 'paid \ufffd001 \ufffdx\ufffd क्\u200dष')
})
