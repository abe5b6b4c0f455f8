// Measures the day end of a whole portfolio under constant Status requests.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { nodeOptions } from '@lendloom/foundation/program'
import { required } from '@lendloom/foundation/required'
import { uuidv4 } from '@lendloom/seal/id'
import { option } from './setup/api.ts'
import { benchDatabase } from './setup/database.ts'
import type { DayEndReport } from './setup/end-day.ts'
import { percentile, serverCpuMs, spread } from './setup/figures.ts'
import { judge } from './setup/goals.ts'
import { type PartnerApi, startPartnerApi } from './setup/partner.ts'
import { caseRefOf, storePortfolio } from './setup/portfolio.ts'
import { measureMinimalServer } from './setup/smallest.ts'

export const about = `The day end of a portfolio in which every loan has a due instalment, under Status requests
Goal: 100000 loans with accrual, classes and provisions in at most 12 s while the API answers.
Prints the latency of Status before and during the day end.
Options: --loans <n> (100000), --reads <n> Status requests a second (50).`

export async function run(args: string[]): Promise<void> {
  const loans = option(args, 'loans', 100_000)
  const perSecond = option(args, 'reads', 50)
  const database = await benchDatabase(4, 'partner')
  let partner: PartnerApi | undefined
  try {
    const minimalServer = await measureMinimalServer(database, 3)
    process.stdout.write(`storing ${loans} loans …\n`)
    await storePortfolio(database.db, loans)
    partner = await startPartnerApi(database.url)
    const before = requestStatus(partner, loans, perSecond)
    await new Promise((resolve) => setTimeout(resolve, 3000))
    console.log(`Status before, ms:  ${spread(await before.stop())}`)
    const worker = fork(join(import.meta.dirname, 'setup', 'end-day.ts'), {
      execArgv: [...process.execArgv, ...nodeOptions],
      env: { ...process.env, DATABASE_URL: database.url, LENDLOOM_KEYS: partner.keys },
    })
    await once(worker, 'message')
    await database.db`vacuum analyze`
    await database.db`checkpoint`
    const cpuBefore = serverCpuMs(database.pid)
    const during = requestStatus(partner, loans, perSecond)
    worker.send('begin')
    const [answer]: DayEndReport[] = await once(worker, 'message')
    const report = required(answer, 'the report of the day end')
    const latencies = await during.stop()
    console.log(`Status during, ms:  ${spread(latencies)}  (${latencies.length} answers)`)
    const serverMs = serverCpuMs(database.pid) - cpuBefore
    const rate = Math.round(report.loans / report.seconds)
    console.log(
      `${report.loans} loans, ${report.entries} entries in ${report.seconds.toFixed(1)} s: ${rate} loans a second, ${report.failed} failed; ${report.classified} changed their asset class, provision ${report.provision}`,
    )
    console.log(
      `CPU of one loan: ${(report.cpuMs / report.loans).toFixed(3)} ms in the worker, ${(serverMs / report.loans).toFixed(3)} ms in PostgreSQL (with the reads); ` +
        `${(((report.cpuMs + serverMs) * 1000) / report.loans / minimalServer.write.cpu).toFixed(2)} of the smallest server's write`,
    )
    console.log(`p99 of Status meanwhile ${percentile(latencies, 0.99).toFixed(1)} ms`)
    if (report.failed > 0 || report.loans !== loans)
      throw new Error(`the day end of ${report.loans} of ${loans} loans was made, and ${report.failed} failed`)
    const atMost = (12 * loans) / 100_000
    judge({ figure: `day end of ${loans} loans`, value: report.seconds, unit: 's', atMost })
  } finally {
    partner?.stop()
    await database.stop()
  }
}

/** Requests Status of random loans at a steady rate, independent of response times. Throws on a wrong answer. */
function requestStatus({ url, client }: PartnerApi, loans: number, perSecond: number) {
  const latencies: number[] = []
  const pending = new Set<Promise<void>>()
  let failure: Error | undefined
  const requestOne = async () => {
    const began = performance.now()
    const caseRef = caseRefOf(1 + Math.floor(Math.random() * loans))
    const headers = { authorization: `Bearer ${client.bearer}`, 'x-request-id': uuidv4() }
    const answer = await fetch(`${url}/status?external_reference_id=${caseRef}`, { headers })
    const { amortization_schedule } = (await answer.json()) as { amortization_schedule?: { installments: unknown[] } }
    if (answer.status !== 200 || amortization_schedule?.installments.length !== 22)
      throw new Error(`Status of ${caseRef} was answered with ${answer.status}`)
    latencies.push(performance.now() - began)
  }
  const timer = setInterval(() => {
    const request = requestOne().catch((error) => {
      failure = error
    })
    pending.add(request)
    request.then(() => pending.delete(request))
  }, 1000 / perSecond)
  return {
    async stop(): Promise<number[]> {
      clearInterval(timer)
      await Promise.all(pending)
      if (failure) throw failure
      return latencies
    },
  }
}
