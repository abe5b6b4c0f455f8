// The sandbox bureau's report on a person (score, accounts, past enquiries), or no record.

import { createHash } from 'node:crypto'
import { pdfOf, tableBlock } from '@lendloom/documents/pdf'
import { longDayText } from '@lendloom/lending/calendar'
import { rupees } from '@lendloom/lending/money'
import type { BureauReport, BureauRequest } from '@lendloom/wire/provider/provider-interfaces'
import { masked } from '#sandbox/core/page-frame.ts'

export type ReportContent = Pick<BureauReport, 'result' | 'score' | 'error_code' | 'report'>

const noHistoryScore = -1

export function contentOf({ person }: BureauRequest, reportId: string, at: Date): ReportContent {
  const pan = person.pan.trim().toUpperCase()
  const scenario = scenarioFor(pan)
  if (scenario === 'source-failed')
    return { result: 'SOURCE_FAILED', score: null, error_code: 'BUREAU_UNAVAILABLE', report: null }
  if (scenario === 'no-record') return { result: 'NO_RECORD', score: noHistoryScore, error_code: null, report: null }
  const score = scoreOf(pan)
  return {
    result: 'HIT',
    score,
    error_code: null,
    report: reportOf({ name: person.full_name, pan, score }, reportId, at),
  }
}

interface BureauSubject {
  name: string
  pan: string
  score: number
}

const reportOf = ({ name, pan, score }: BureauSubject, reportId: string, at: Date): Record<string, unknown> => ({
  report_number: reportId,
  reported_at: at.toISOString(),
  subject: { name, pan: masked(pan) },
  score: { value: score, range: '300-900', version: 'SANDBOX 1' },
  accounts: accountsOf(score),
  enquiries: { last_30_days: score < 650 ? 4 : 1, last_12_months: score < 650 ? 11 : 3 },
})

function accountsOf(score: number): ReturnType<typeof account>[] {
  const isOverdue = score < 650
  return [
    account('CREDIT_CARD', 75_000_00n, isOverdue ? 71_200_00n : 12_450_00n, isOverdue ? 62 : 0),
    account('TWO_WHEELER_LOAN', 90_000_00n, 21_300_00n, isOverdue ? 34 : 0),
    account('BUSINESS_LOAN', 2_00_000_00n, 0n, 0),
  ]
}

const account = (type: string, sanctioned: bigint, outstanding: bigint, daysPastDue: number) => ({
  type,
  status: outstanding === 0n ? 'CLOSED' : 'ACTIVE',
  sanctioned_amount: rupees(sanctioned),
  outstanding_amount: rupees(outstanding),
  days_past_due: daysPastDue,
})

/** The report as a PDF; null when the bureau has no record. */
export async function reportPaper(
  { person }: BureauRequest,
  { result, score }: ReportContent,
  at: Date,
): Promise<Buffer | null> {
  if (result !== 'HIT' || score === null) return null
  return pdfOf({
    title: 'Credit report',
    author: 'Sandbox Bureau',
    blocks: [
      {
        kind: 'table',
        head: [],
        rows: [
          ['Name', person.full_name],
          ['PAN', masked(person.pan)],
          ['Date of birth', longDayText(person.date_of_birth)],
          ['Score (300 to 900)', String(score)],
          ['Reported at', at.toISOString()],
        ],
        widths: [2, 3],
      },
      { kind: 'heading', text: 'Accounts' },
      tableBlock(
        [
          { head: 'Kind', of: (each) => each.type, width: 3 },
          { head: 'Status', of: (each) => each.status, width: 2 },
          { head: 'Sanctioned', of: (each) => each.sanctioned_amount, width: 2, isRight: true },
          { head: 'Outstanding', of: (each) => each.outstanding_amount, width: 2, isRight: true },
          { head: 'Days past due', of: (each) => String(each.days_past_due), width: 2, isRight: true },
        ],
        accountsOf(score),
      ),
      { kind: 'text', text: 'This is a sandbox report. It does not rate a real person.' },
    ],
    createdAt: at,
  })
}

type BureauScenario = 'no-record' | 'source-failed' | 'low-score'

export interface ScoreRule {
  /** Characters 6 to 9 of the PAN. */
  digits: string
  scenario: BureauScenario
  what: string
}

/** The bureau's fault rules: four digits of the PAN select the result. */
export const rules: ScoreRule[] = [
  { digits: '9131', scenario: 'no-record', what: 'The bureau has no record of this person.' },
  { digits: '9132', scenario: 'source-failed', what: 'The bureau cannot produce a report.' },
  { digits: '9133', scenario: 'low-score', what: 'The bureau reports a low score, 545, and overdue accounts.' },
]

const scenarioFor = (pan: string): BureauScenario | null =>
  rules.find(({ digits }) => digits === pan.slice(5, 9))?.scenario ?? null

const lowScore = 545

/** The score of a PAN: always the same, and from 700 to 849 for an ordinary person. */
const scoreOf = (pan: string): number =>
  scenarioFor(pan) === 'low-score'
    ? lowScore
    : 700 + (createHash('sha256').update(`score ${pan}`).digest().readUInt32BE() % 150)
