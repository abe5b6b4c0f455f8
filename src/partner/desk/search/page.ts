// The search of the desk: what was typed goes in the body of the request, so that no PAN stands in an address or a log.

import { formFrom } from '#kit/http/form.ts'
import { type Html, html } from '#kit/http/markup.ts'
import { searchKey } from '#partner/case/search/key.ts'
import { type Context, route } from '#partner/context.ts'
import { nameOfBorrower, openLead } from '#partner/desk/applicant-name.ts'
import { badge, day, inr, plain, when } from '#partner/desk/format.ts'
import { caseLink, deskPage, goTo, tableOf } from '#partner/desk/frame.ts'
import { can } from '#partner/desk/roles.ts'
import { atDesk, may, type Staff } from '#partner/desk/staff.ts'
import { noteAct } from '#partner/desk/staff-act.ts'
import { lookUpsOf } from './look-ups.ts'
import { type FoundCase, findCases, findUnmatched } from './store.ts'
import { foundBy, searchTexts as texts } from './text-en.ts'

const path = '/desk/search'
const most = 50
const common = { path, section: 'D3 §3', hidden: true } as const

const page = (ctx: Context, who: Staff, body: Html) =>
  deskPage(ctx, who, { title: texts.title, here: '/desk/cases', body })

const show = route({
  ...common,
  auth: atDesk,
  method: 'GET',
  summary: 'What can be searched for',
  handle: ({ who }, ctx) => page(ctx, who, html`<section><p>${texts.how}</p></section>`),
})

async function found({ db, seal }: Context, typed: string) {
  const { names, personal, number, uuid } = lookUpsOf(typed)
  const wanted = {
    names: names.map((word) => searchKey(seal, 'name', word).digest),
    personal: personal.map(({ kind, text }) => searchKey(seal, kind, text).digest),
    number,
    uuid,
  }
  const [cases, receipts] = await Promise.all([
    findCases(db, wanted, most + 1),
    number === null ? [] : findUnmatched(db, number, most),
  ])
  return { cases, receipts }
}

const search = route({
  ...common,
  auth: may('SEARCHED'),
  method: 'POST',
  summary: 'Cases by name, mobile, PAN or any number',
  accepts: 'raw',
  async handle({ who, raw, at }, ctx) {
    const typed = (formFrom(raw).get('q') ?? '').slice(0, 200)
    const { cases, receipts } = await found(ctx, typed)
    const detail = { found: Math.min(cases.length, most) }
    await ctx.db.tx((tx) => noteAct(tx, { staffId: who.staffId, act: 'SEARCHED', about: { detail }, at }))
    const [only] = cases
    if (only && cases.length === 1 && receipts.length === 0)
      return goTo(`/desk/cases/${encodeURIComponent(only.caseRef)}`)
    const body = html`<section>${casesFound(ctx, cases.slice(0, most))}${cases.length > most && html`<p>${texts.most(most)}</p>`}</section>
${receipts.length > 0 && html`<section><h2>${texts.receipts}</h2>${receiptsFound(receipts, can(who, 'RECEIPT_POSTED'))}</section>`}`
    return page(ctx, who, body)
  },
})

const casesFound = ({ seal }: Context, cases: FoundCase[]): Html =>
  tableOf(
    'Cases found',
    ['Borrower', 'Loan', 'Application', 'Account', 'Found by', 'Changed'],
    cases.map((line) => [
      caseLink(line.caseRef, nameOfBorrower(openLead(seal, line.caseRef, line.leadSealed))),
      line.loanId,
      badge(line.status),
      line.loanStatus && badge(line.loanStatus),
      line.foundBy.map((each) => foundBy[each]).join(', '),
      when(line.updatedAt),
    ]),
    { empty: texts.none },
  )

const receiptsFound = (receipts: Awaited<ReturnType<typeof findUnmatched>>, mayPost: boolean): Html =>
  tableOf(
    texts.receipts,
    ['Value date', 'Method', 'Reference', { number: 'Amount' }],
    receipts.map((each) => [
      day(each.valueOn),
      plain(each.method),
      mayPost
        ? html`<a href="/desk/money/receipts/${encodeURIComponent(each.provider)}/${encodeURIComponent(each.receiptId)}?number=">${each.transactionReference}</a>`
        : each.transactionReference,
      inr(each.amountPaise),
    ]),
    { empty: texts.none },
  )

export const searchRoutes = [show, search]
