// The summary that `lendloom start` prints once everything runs: addresses, credentials and how to stop.
import { join, relative } from 'node:path'
import { styleText } from 'node:util'
import { sandboxFile } from '#cli/installation.ts'
import type { StartConfig } from './settings.ts'

export interface SummaryOptions {
  config: StartConfig
  directory: string
  logs: boolean
}

/** Returns the summary, with the seconds that the start took. */
export function summary({ config, directory, logs }: SummaryOptions): string {
  const seconds = (performance.now() / 1000).toFixed(1)
  const rows: [string, string, string?][] = [['Platform', config.publicUrl]]
  if (config.SANDBOX) rows.push(['Demo', `${config.publicUrl}/demo`, 'an example app that offers credit: begin here'])
  rows.push(['API', `${config.publicUrl}/docs`])
  rows.push([
    'Console',
    `${config.publicUrl}/console`,
    config.SANDBOX
      ? 'for operators and integrators; sign in with the credentials below'
      : 'add the first user: lendloom people add',
  ])
  if (config.SANDBOX) rows.push(['Sandbox', config.sandboxUrl, 'the simulated network, its lenders and its rules'])
  if (config.mailUrl !== null)
    rows.push(['Mailbox', `${config.sandboxUrl}/mailbox`, 'all mail that is sent; you can reply there'])
  if (config.SANDBOX) rows.push(['SMS', `${config.sandboxUrl}/sms`, 'all SMS that is sent'])
  if (config.partnerUrl)
    rows.push([
      'Partner',
      `${config.partnerUrl}/desk`,
      'the desk of the lending partner; sign in with the credentials below',
    ])
  if (config.secondPartnerUrl)
    rows.push(['', `${config.secondPartnerUrl}/desk`, 'the desk of the second lending partner'])
  if (config.SANDBOX) rows.push(['Credentials', shortPath(sandboxFile(directory))])
  if (!logs) rows.push(['Logs', shortPath(join(directory, 'logs'))])
  rows.push(['Stop', process.stdin.isTTY ? 'Ctrl-C' : `kill ${process.pid}`])
  const lines = rows.map(
    ([name, value, about]) =>
      `  ${name.padEnd(13)}${styleText('cyan', value)}${about ? styleText('dim', `  ${about}`) : ''}`,
  )
  return `\n  ${styleText(['bold', 'green'], 'Lendloom is ready')} ${styleText('dim', `after ${seconds} s`)}\n\n${lines.join('\n')}\n\n`
}

/** A path relative to the working directory. */
function shortPath(path: string): string {
  const short = relative(process.cwd(), path)
  return short.startsWith('..') ? path : short
}
