// `lendloom exchange conform`: tests a lending partner or a platform against D3, with only its address and credentials.
import { readFileSync, writeFileSync } from 'node:fs'
import type { Check } from '@lendloom/conformance/exchange/check'
import type { TestedSide } from '@lendloom/conformance/exchange/run-credentials'
import { codeOf, messageOf } from '@lendloom/foundation/thrown'
import { partnerCredentials } from '@lendloom/wire/exchange/credentials'
import {
  CannotRun,
  type CommandCall,
  command,
  requireArgument,
  requireOption,
  table,
  UsageError,
} from '#cli/command.ts'
import { fittedTable } from '#cli/console/show.ts'

const example = {
  sender: 'LENDLOOM',
  bearer: 'bearer-token-of-the-platform',
  keyId: 'p1',
  secret: 'signing-secret-of-the-platform',
  webhook: {
    sender: 'MY_LENDER',
    bearer: 'bearer-token-of-the-lender',
    keys: [{ keyId: 'm1', secret: 'signing-secret-of-the-lender' }],
  },
}

const options = {
  platform: {
    type: 'boolean',
    about: 'test a platform by its webhook address; its requests are checked only with --listen',
  },
  credentials: {
    type: 'string',
    value: 'file',
    about: `the credentials of both sides as JSON, in the form of PARTNER_CREDENTIALS: ${JSON.stringify(example)}`,
  },
  listen: {
    type: 'string',
    value: 'host:port',
    about:
      'address that receives events (default: 127.0.0.1:4790); for a platform, the address of its lending partner (default: none)',
  },
  'webhook-url': {
    type: 'string',
    value: 'url',
    about:
      'the public URL of the --listen address, as configured at the other side; the run first tests that the URL works',
  },
  wait: {
    type: 'string',
    value: 'seconds',
    about: 'timeout for each message, and for each act of the lender’s staff or the platform’s borrower (default: 300)',
  },
  'retry-after': {
    type: 'string',
    value: 'seconds',
    about: 'the Retry-After sent for one event, to test that it is respected (default: 90)',
  },
  only: {
    type: 'string',
    value: 'id',
    multiple: true,
    about: 'only checks whose ID has this prefix, and their prerequisites',
  },
  state: { type: 'string', value: 'file', about: 'file with passed checks, so that an interrupted run resumes' },
  junit: { type: 'string', value: 'file', about: 'file for the result as JUnit XML' },
  list: { type: 'boolean', about: 'list the checks with their requests and expectations, and run none' },
} as const
type ConformCall = CommandCall<typeof options>

export const conformCommand = command({
  name: 'exchange conform',
  summary:
    'test a lending partner’s four interfaces and events, or with --platform a platform, against D3; exits with 1 if a check fails',
  usage:
    '<url> --credentials <file> [--platform] [--listen <host:port>] [--webhook-url <url>] [--state <file>] [--junit <file>] | --list',
  options,
  async run({ args, options: given, json }: ConformCall) {
    const { CannotBegin, checksToRun, conform, junitOf, textOf, totals } = await import(
      '@lendloom/conformance/exchange/conform'
    )
    const { state, only: ids } = given
    const testedSide: TestedSide = given.platform ? 'platform' : 'partner'
    const checks = checksToRun(testedSide, ids)
    if (checks.length === 0)
      throw new UsageError(`no check has the prefix ${ids?.join(' or ')}; --list shows all checks`)
    if (given.list) return checkList(checks)
    const url = addressIn(requireArgument(args, `the address of the ${testedSide}`))
    const outcomes = await conform({
      testedSide,
      url,
      credentials: credentialsIn(requireOption(given.credentials, 'credentials')),
      listenAt: testedSide === 'platform' && given.listen === undefined ? null : listenAddressIn(given.listen),
      ...(given['webhook-url'] !== undefined && { publicUrl: addressIn(given['webhook-url']) }),
      waitSeconds: secondsIn(given.wait, 'wait', 300),
      retryAfterSeconds: secondsIn(given['retry-after'], 'retry-after', 90),
      ...(ids && { only: ids }),
      ...(state !== undefined && { state }),
      say: (words) => void (json || process.stderr.write(`${words}\n`)),
    }).catch((error) => {
      throw error instanceof CannotBegin ? new CannotRun(error.message) : error
    })
    if (given.junit !== undefined) writeFileSync(given.junit, junitOf(url, outcomes))
    const sums = totals(outcomes)
    const exitCode = sums.failed > 0 ? 1 : 0
    return { text: textOf(outcomes, table), data: { url, ...sums, checks: outcomes }, exitCode }
  },
})

function checkList(checks: Check[]) {
  const data = checks.map(({ section, id, title, sends, expects }) => ({ section, id, title, sends, expects }))
  return {
    text: fittedTable(
      checks,
      [
        { head: 'SECTION', of: ({ section }) => section },
        { head: 'CHECK', of: ({ id }) => id },
        { head: 'SENDS', of: ({ sends }) => sends },
        { head: 'EXPECTS', of: ({ expects }) => expects },
      ],
      { isWhole: true },
    ),
    data,
  }
}

function addressIn(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new UsageError(`the address must be a URL, not "${text}"`)
  return text
}

function listenAddressIn(text = '127.0.0.1:4790'): { host: string; port: number } {
  const [, host, port] = /^\[?([^\]]+?)\]?:(\d{1,5})$/.exec(text) ?? []
  if (host === undefined || Number(port) > 65_535)
    throw new UsageError(`--listen must be a host and a port, such as 127.0.0.1:4790, not "${text}"`)
  return { host, port: Number(port) }
}

function secondsIn(text: string | undefined, name: string, fallback: number): number {
  if (text === undefined) return fallback
  if (!/^\d{1,6}$/.test(text)) throw new UsageError(`--${name} must be a number of seconds, not "${text}"`)
  return Number(text)
}

/** Reads credentials from a file. Error messages never contain their values. */
function credentialsIn(path: string) {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`--credentials ${path} cannot be read: ${codeOf(error) ?? messageOf(error)}`)
  }
  try {
    const read = partnerCredentials('').read(text.trim())
    if (read) return read
  } catch (error) {
    throw new UsageError(`--credentials ${path} ${messageOf(error)}; each secret has at least 16 characters`)
  }
  throw new UsageError(`--credentials ${path} is empty`)
}
