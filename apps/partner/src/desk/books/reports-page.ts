// Reports: the figures of a period for the regulator, and the file of all accounts for credit bureaus.

import { Readable } from 'node:stream'
import { type CsvColumn, csvOf } from '@lendloom/documents/csv'
import { Refusal } from '@lendloom/foundation/refusal'
import { Type } from '@lendloom/foundation/schema'
import { type Html, html } from '@lendloom/http/markup'
import type { Answer } from '@lendloom/http/server'
import { businessDate } from '@lendloom/lending/calendar'
import { type Paise, rupees } from '@lendloom/lending/money'
import { bookTable } from '#partner/desk/arrears/asset-class-parts.ts'
import { classNames } from '#partner/desk/arrears/asset-class-text-en.ts'
import { AuditedAnswer, deskRoute } from '#partner/desk/desk-route.ts'
import { deskPage } from '#partner/desk/frame.ts'
import { csvType, fileAnswer } from '#partner/desk/parts/file-answer.ts'
import { dayFilter } from '#partner/desk/parts/form-parts.ts'
import { formatDay, inr } from '#partner/desk/parts/format.ts'
import { tableOf } from '#partner/desk/parts/table.ts'
import { anyStaff, may } from '#partner/desk/staff/desk-auth.ts'
import { can } from '#partner/desk/staff/staff-acts.ts'
import { bureauAccounts, bureauCsv } from '#partner/records/report/bureau-report.ts'
import { returnsOf } from '#partner/records/report/regulator-returns.ts'
import { reportTexts as texts } from '#partner/records/report/text-en.ts'
import { duesTolerance } from '#partner/servicing/loan/class/classify.ts'
import { lastBusinessDay } from '#partner/servicing/loan/class/store.ts'
import { periodForm, periodOf, periodQuery, requireDay } from './period-form.ts'

const path = '/desk/reports'
const common = { method: 'GET', section: 'operation', hidden: true } as const

const figureName = (text: string): string | Html =>
  text.startsWith('Of which') ? html`<span class="part-of">${text}</span>` : text

const figureTable = ({ figures, borrowers, nonPerforming }: Awaited<ReturnType<typeof returnsOf>>): Html =>
  tableOf(
    texts.returns,
    ['Figure', { number: 'Number' }, { number: 'Amount' }],
    [
      ...figures.map(({ name, count, paise }) => [
        figureName(texts.figures[name]),
        count,
        paise === null ? '' : inr(paise),
      ]),
      [texts.borrowers, borrowers, ''],
      [figureName(texts.nonPerforming), nonPerforming, ''],
    ],
    { empty: '', csv: false },
  )

const show = deskRoute({
  ...common,
  path,
  query: periodQuery,
  summary: 'Figures of a period for the regulator’s returns, and the report to bureaus',
  // The page shows only sums of all loans, so views of it are not recorded.
  viewAct: null,
  auth: anyStaff,
  async handle({ who, query, at }, ctx) {
    const lastDay = await lastBusinessDay(ctx.db)
    const period = periodOf(query.from || query.to || !lastDay ? query : { to: lastDay.endedOn }, at)
    const returns = await ctx.db.snapshot((db) => returnsOf(db, period))
    const search = new URLSearchParams({ ...period }).toString()
    const { figures, book } = returns
    const isEmpty = figures.every(({ count }) => count === 0) && period.to < businessDate(at)
    const mayExport = can(who, 'REPORT_MADE')
    const body = html`<section><h2>${texts.returns}</h2>
<p>${texts.returnsAbout}</p>
${periodForm({ path, period, at, action: mayExport && html`<a class="secondary" href="${path}/returns.csv?${search}">${texts.download}</a>` })}
${
  isEmpty
    ? html`<p class="empty">${texts.nothing} <a href="${path}?${new URLSearchParams({ from: period.from, to: businessDate(at) }).toString()}">${texts.untilToday}</a></p>`
    : figureTable(returns)
}
<p class="quiet">${texts.complaints}</p></section>
<section id="book"><h2>${texts.book} ${formatDay(period.to)}</h2>${
      book.length > 0
        ? bookTable(book)
        : html`<p class="empty">${lastDay && period.to <= lastDay.endedOn ? texts.emptyBook : texts.noBook}</p>`
    }</section>
<section id="bureau"><h2>${texts.bureau}</h2><p>${texts.bureauAbout}</p>${
      lastDay === undefined
        ? html`<p class="empty">${texts.notEnded}</p>`
        : html`<p>${texts.lastClosed} ${formatDay(lastDay.endedOn)}</p>${
            mayExport &&
            html`<form class="search" method="get" action="${path}/bureau.csv"><label><span>${texts.closedSince}</span>${dayFilter('closedSince', period.from, { max: lastDay.endedOn })}</label><button class="primary">${texts.downloadBureau}</button></form>`
          }`
    }</section>`
    return deskPage(ctx, who, { title: texts.title, area: path, body })
  },
})

const reportAnswer = (file: Answer, detail: Record<string, string>): AuditedAnswer =>
  new AuditedAnswer(file, { act: 'REPORT_MADE', about: { detail } })

interface ReturnsLine {
  /** Null for a figure that belongs to a day. */
  from: string | null
  to: string
  figure: string
  code: string
  count: number | null
  paise: Paise | null
}

const returnsColumns: CsvColumn<ReturnsLine>[] = [
  { head: 'from', of: (line) => line.from },
  { head: 'until', of: (line) => line.to },
  { head: 'figure', of: (line) => line.figure },
  { head: 'code', of: (line) => line.code },
  { head: 'number', of: (line) => line.count },
  { head: 'amount', of: ({ paise }) => (paise === null ? null : rupees(paise)) },
]

const returnsCsv = deskRoute({
  ...common,
  path: `${path}/returns.csv`,
  query: periodQuery,
  summary: 'The figures of a period, as CSV',
  auth: may('REPORT_MADE'),
  viewAct: 'REPORT_MADE',
  async handle({ query, at }, ctx) {
    const period = periodOf(query, at)
    const { figures, borrowers, nonPerforming, book } = await ctx.db.snapshot((db) => returnsOf(db, period))
    const lines: ReturnsLine[] = [
      ...figures.map(({ name, count, paise }) => ({
        ...period,
        figure: texts.figures[name],
        code: name.toLowerCase(),
        count,
        paise,
      })),
      ...book.flatMap(({ assetClass, loans, principalPaise, provisionPaise }) => [
        {
          ...period,
          figure: texts.principalOf(classNames[assetClass]),
          code: `book_${assetClass.toLowerCase()}`,
          count: loans,
          paise: principalPaise,
        },
        {
          ...period,
          figure: texts.provisionOf(classNames[assetClass]),
          code: `provision_${assetClass.toLowerCase()}`,
          count: null,
          paise: provisionPaise,
        },
      ]),
    ]
    // These figures are those of now, not of the period.
    const now = { from: null, to: businessDate(at), paise: null }
    lines.push(
      { ...now, figure: texts.borrowers, code: 'borrowers', count: borrowers },
      { ...now, figure: texts.nonPerforming, code: 'borrowers_non_performing', count: nonPerforming },
    )
    const text = csvOf([{ head: 'lender', of: () => ctx.config.PARTNER_LENDER_NAME }, ...returnsColumns], lines)
    const file = fileAnswer(`returns-${period.from}-${period.to}.csv`, csvType, text)
    return reportAnswer(file, { what: 'returns', ...period })
  },
})

const bureauFile = deskRoute({
  ...common,
  path: `${path}/bureau.csv`,
  query: Type.Object({ closedSince: Type.Optional(Type.String()) }),
  summary: 'Every account with its holder, for credit bureaus',
  auth: may('REPORT_MADE'),
  viewAct: 'REPORT_MADE',
  async handle({ query, at }, ctx) {
    const closedSince = requireDay('closedSince', query.closedSince || `${businessDate(at).slice(0, 8)}01`)
    const lastDay = await lastBusinessDay(ctx.db)
    if (!lastDay) throw new Refusal('wrong-state', texts.notEnded)
    const report = { reportedOn: lastDay.endedOn, closedSince }
    const tolerance = duesTolerance(ctx.config)
    async function* lines() {
      let isFirst = true
      for await (const accounts of bureauAccounts(ctx, { ...report, tolerance })) {
        yield bureauCsv.linesOf(accounts, { reportedOn: report.reportedOn, isFirst })
        isFirst = false
      }
      if (isFirst) yield bureauCsv.linesOf([], { reportedOn: report.reportedOn, isFirst })
    }
    const name = `bureau-${report.reportedOn}.${bureauCsv.extension}`
    const file = fileAnswer(name, bureauCsv.contentType, Readable.from(lines()))
    return reportAnswer(file, { what: 'bureau', ...report })
  },
})

export const reportRoutes = [show, returnsCsv, bureauFile]
