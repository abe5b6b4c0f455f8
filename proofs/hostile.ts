// No body costs more than its bytes: hostile bodies at the limit of every route, by processor time and memory.
import { readFileSync, writeFileSync } from 'node:fs'
import { maxElements } from '@lendloom/http/body'
import { bodyLimit, maxBytesOf } from '@lendloom/http/src/mount-route.ts'
import { consoleUser } from '@lendloom/tests/setup/console'
import { seededRandom } from '@lendloom/tests/setup/patience'
import { option } from '../bench/setup/api.ts'
import { type ApiOperation, operations, type ProgramName } from './api/operations.ts'
import { fillOwner } from './api/owner.ts'
import { buildPages } from './api/pages.ts'
import { pick, type Random } from './api/samples.ts'
import { deskCookies, platformContext } from './api/staff.ts'
import { newActors } from './fuzz/actors.ts'
import { bodyBytes, type Draft, wireBytes } from './fuzz/draft.ts'
import { Wire } from './fuzz/wire.ts'
import type { Outcome } from './main.ts'
import { checks, wordsOf } from './setup/checks.ts'
import { type Installation, startInstallation } from './setup/installation.ts'

export const about = `Hostile bodies at the limit of every route: no request costs 100 ms of a processor or ten times its memory
Platform, partner and sandbox run with PostgreSQL. Every operation with a body gets, with a valid credential and signature, random
bodies as large as its route accepts, as one field or as the whole: lists of millions of items, unknown and repeated keys, deep and wide nesting,
long texts and escapes, forms with many fields and parts. The API's processor time and the growth of its peak memory are read from
/proc. A route fails when the median of three tries exceeds 100 ms (and 10 ms for each MiB of a form with files), or its memory ten times the body and the garbage of the young
generation (64 MiB), and when a process ends or does not answer /healthz.
Options: --rounds <n> (1), --seed <n> (1), --only <text> (operations whose name contains it).`

const maxMs = 100
/** Bytes of files must at least be read from the connection. */
const msPerMiB = 10
/** V8's young generation may grow by this, whatever a body costs. */
const garbageBytes = 64 << 20
const memoryFactor = 10
const triesPerBody = 3
/** The clock of /proc counts hundredths of a second. */
const msPerTick = 10

export const missing = (): string | null =>
  process.platform === 'linux' ? null : 'the processor time of a process is read from /proc'

type Shape = (bytes: number, random: Random) => string

const filled = (unit: string, bytes: number): string => unit.repeat(Math.max(0, Math.floor(bytes / unit.length)))
/** As many as pass the limit of elements, so that the value is parsed and validated. */
const countable = (unit: string, bytes: number): string =>
  unit.repeat(Math.min(maxElements - 2, Math.max(0, Math.floor(bytes / unit.length))))
const keys = (bytes: number, value: string): string => {
  const parts: string[] = []
  for (let i = 0, size = 0; size < bytes - 20; i++) {
    const part = `"k${i}":${value}`
    parts.push(part)
    size += part.length + 1
  }
  return parts.join(',')
}

/** JSON values of about this many bytes. */
const values: Record<string, Shape> = {
  'list of zeros': (bytes) => `[${filled('0,', bytes - 3)}0]`,
  'list of zeros below the limit of elements': (bytes) => `[${countable('0,', bytes - 3)}0]`,
  'list of empty objects below the limit': (bytes) => `[${countable('{},', (bytes - 3) / 2)}{}]`,
  'list of lists': (bytes) => `[${filled('[],', bytes - 4)}[]]`,
  'deep lists': (bytes) => filled('[', bytes / 2) + filled(']', bytes / 2),
  'unknown keys': (bytes) => `{${keys(bytes, '0')}}`,
  'keys below the limit': (bytes) => `{${keys(Math.min(bytes, maxElements * 8), '0')}}`,
  'repeated keys': (bytes) => `{${filled('"a":0,', bytes - 8)}"a":0}`,
  'long text': (bytes) => `"${filled('x', bytes - 2)}"`,
  'text of escapes': (bytes) => `"${filled('\\u0041', bytes - 2)}"`,
  'text of combining marks': (bytes) => `"a${filled('\u0323\u0301', (bytes - 4) / 2)}"`,
  'text of digits': (bytes) => `"${filled('9876501234 ', bytes - 2)}"`,
  'text of quotes and colons': (bytes) => `"${filled('\\":', bytes - 2)}"`,
}

/** Names of fields that a body of this operation has, at any depth. */
function fieldsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [name, ...fieldsOf(inner)])
}

/** Replaces one field of a valid body by a hostile value, or the whole body. */
function hostileJson(draft: Draft, { name, bytes, random }: { name: string; bytes: number; random: Random }): string {
  const value = (values[name] as Shape)(bytes - 200, random)
  if (draft.body.kind !== 'json') return value
  const valid = JSON.stringify(draft.body.value)
  const fields = fieldsOf(draft.body.value)
  if (fields.length === 0 || random() < 0.3) return value
  const field = pick(fields, random)
  const marker = `"${field}":`
  const at = valid.indexOf(marker)
  if (at < 0) return value
  const hostile = (values[name] as Shape)(Math.max(10, bytes - valid.length - 200), random)
  const replaced = JSON.stringify(JSON.parse(valid), (key, inner) => (key === field ? '\u0001' : inner))
  return replaced.replace('"\\u0001"', () => hostile)
}

const forms: Record<string, Shape> = {
  'form of fields': (bytes) => filled('a=1&', bytes),
  'form of names': (bytes) => keys(bytes, '').replaceAll('"', '').replaceAll(',', '&').replaceAll(':', '='),
  'form of escapes': (bytes) => `a=${filled('%41', bytes - 2)}`,
}

const boundary = 'hostile'
const parts: Record<string, Shape> = {
  'multipart of fields': (bytes) =>
    `${filled(`--${boundary}\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n`, bytes - 20)}--${boundary}--\r\n`,
  'multipart of files': (bytes) =>
    `${filled(`--${boundary}\r\ncontent-disposition: form-data; name="files"; filename="a"\r\n\r\n1\r\n`, bytes - 20)}--${boundary}--\r\n`,
  'multipart with a long field': (bytes) =>
    `--${boundary}\r\ncontent-disposition: form-data; name="body"\r\n\r\n${filled('x', bytes - 200)}\r\n--${boundary}--\r\n`,
}

interface Hostile {
  shape: string
  draft: Draft
}

/** The hostile requests of one operation. */
function hostileOf(draft: Draft, random: Random): Hostile[] {
  const { operation } = draft
  const bytes = Math.min(maxBytesOf(operation.route), maxFormBytes)
  const withBytes = (shape: string, text: string, contentType: string): Hostile => ({
    shape,
    draft: {
      ...draft,
      headers: [...draft.headers.filter(([name]) => name !== 'content-type'), ['content-type', contentType]],
      body: { kind: 'bytes', bytes: Buffer.from(text), isJson: false },
    },
  })
  const { accepts = 'json' } = operation.route
  const isForm = accepts === 'form' || accepts === 'stream'
  const takesJson = accepts === 'json' || (accepts === 'raw' && operation.program !== 'partner') || isEvent(operation)
  const jsonBytes = isForm ? bodyLimit : bytes
  const json = Object.keys(values).map((name) =>
    withBytes(name, hostileJson(draft, { name, bytes: jsonBytes, random }), 'application/json'),
  )
  const encoded = Object.entries(forms).map(([name, shape]) =>
    withBytes(name, shape(Math.min(bytes, bodyLimit), random), 'application/x-www-form-urlencoded'),
  )
  const multipart = Object.entries(parts).map(([name, shape]) =>
    withBytes(name, shape(bytes, random), `multipart/form-data; boundary=${boundary}`),
  )
  return [
    ...(takesJson || (accepts === 'form' && operation.route.body) ? json : []),
    ...(accepts === 'raw' && !isEvent(operation) ? encoded : []),
    ...(isForm ? [...multipart, ...encoded] : []),
  ]
}

const isEvent = ({ route }: ApiOperation): boolean => ['/events', '/dedupe'].includes(route.path)

/** A file of 250 MB is one stream; its form, not its bytes, is what could be hostile. */
const maxFormBytes = 28 << 20

interface Cost {
  name: string
  bytes: number
  isForm: boolean
  status: number
  ms: number
  memory: number
}

export async function run(args: string[]): Promise<Outcome> {
  const rounds = option(args, 'rounds', 1)
  const seed = option(args, 'seed', 1)
  const onlyAt = args.indexOf('--only')
  const only = onlyAt < 0 ? '' : (args[onlyAt + 1] ?? '')
  buildPages()
  const installation = await startInstallation({ each: 1, env: { TENANT_REQUESTS_PER_SECOND: '10000' } })
  try {
    const ctx = platformContext(installation)
    await deskCookies(installation)
    const { platformUrl, tenant } = installation
    const admin = await consoleUser({ url: platformUrl, ctx }, { role: 'admin', tenantId: tenant.tenantId })
    const owner = await fillOwner(installation, tenant, 'alkmene', admin)
    const scene = { installation, ctx, owner, messages: new Map<string, string[]>() }
    const random = seededRandom(seed)
    const chosen = operations.filter(
      ({ name, route }) => route.method !== 'GET' && (route.body || route.accepts) && name.includes(only),
    )
    const costs: Cost[] = []
    for (let round = 0; round < rounds; round++) {
      const actors = await newActors(scene)
      for (const operation of chosen)
        for (const hostile of hostileOf(actors.draftOf(operation, random), random))
          costs.push(await costOf(installation, hostile))
    }
    return await judge(costs, installation)
  } finally {
    await installation.stop()
  }
}

async function judge(costs: Cost[], installation: Installation): Promise<Outcome> {
  const slow = costs.filter(({ ms, bytes, isForm }) => ms > maxMs + (isForm ? (msPerMiB * bytes) / (1 << 20) : 0))
  const large = costs.filter(({ memory, bytes }) => memory > memoryFactor * bytes + garbageBytes)
  const line = ({ name, bytes, status, ms, memory }: Cost) =>
    `${String(ms).padStart(5)} ms ${String(memory >> 20).padStart(5)} MiB ${String(bytes >> 10).padStart(6)} KiB ${status} ${name}`
  console.log('The most expensive:')
  for (const each of costs.toSorted((a, b) => b.ms - a.ms).slice(0, 15)) console.log(line(each))
  console.log('The largest:')
  for (const each of costs.toSorted((a, b) => b.memory - a.memory).slice(0, 10)) console.log(line(each))
  const all = checks()
  for (const each of new Set([...slow, ...large])) console.log(`COSTLY: ${line(each)}`)
  all.note(`no body takes more than ${maxMs} ms of a processor`, slow.length === 0, slow.length)
  all.note(`no body takes more than ${memoryFactor} times its memory`, large.length === 0, large.length)
  const broken = costs.filter(({ status }) => status === 500)
  for (const each of broken) console.log(`FAILED: ${line(each)}`)
  all.note('no body is answered 500', broken.length === 0, broken.length)
  for (const [program, url] of Object.entries(urlsOf(installation)))
    all.note(`the ${program} still answers`, (await fetch(`${url}/healthz`).catch(() => null))?.ok === true)
  const figures = `${costs.length} hostile bodies, at most ${Math.max(...costs.map(({ ms }) => ms))} ms; ${wordsOf(all)}`
  return { passed: all.failed.length === 0, figures }
}

const urlsOf = ({ platformUrl, partnerUrl, sandboxUrl }: Installation): Record<ProgramName, string> => ({
  platform: platformUrl,
  partner: partnerUrl,
  sandbox: sandboxUrl,
})

function pidOf({ processes, sandbox }: Installation, program: ProgramName): number {
  if (program === 'sandbox') return sandbox.pid
  const api = processes.find((each) => each.program === program && each.mode === 'api')
  if (!api) throw new Error(`there is no API of the ${program}`)
  return api.pid
}

/** Sends a body several times, and returns the median of the processor time and of the memory. */
async function costOf(installation: Installation, { shape, draft }: Hostile): Promise<Cost> {
  const { program, name } = draft.operation
  const url = new URL(urlsOf(installation)[program])
  const pid = pidOf(installation, program)
  const wire = new Wire(Number(url.port))
  const tries: { ms: number; memory: number; status: number }[] = []
  for (let i = 0; i < triesPerBody; i++) {
    // Resets the peak to what the process has now.
    writeFileSync(`/proc/${pid}/clear_refs`, '5')
    const before = { ticks: ticksOf(pid), memory: memoryOf(pid, 'VmRSS') }
    const { status } = await wire.send(wireBytes(draft, url.host), draft.method)
    const ms = (ticksOf(pid) - before.ticks) * msPerTick
    tries.push({ ms, memory: Math.max(0, memoryOf(pid, 'VmHWM') - before.memory), status })
  }
  wire.close()
  const median = (of: (each: (typeof tries)[number]) => number): number =>
    tries.map(of).toSorted((a, b) => a - b)[Math.floor(triesPerBody / 2)] ?? 0
  return {
    name: `${name}: ${shape}`,
    bytes: bodyBytes(draft)?.length ?? 0,
    isForm: shape in parts,
    status: tries.at(-1)?.status ?? 0,
    ms: median(({ ms }) => ms),
    memory: median(({ memory }) => memory),
  }
}

function ticksOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return Number(fields[11]) + Number(fields[12])
}

const memoryOf = (pid: number, field: 'VmRSS' | 'VmHWM'): number =>
  Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
