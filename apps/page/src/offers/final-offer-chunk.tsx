// Chunk with the final terms: payout, payments, changes and cost, then acceptance with consent, or declining.

import { contractOf } from '@lendloom/lending/product/products'
import type { EmbedOffer } from '@lendloom/wire/hosted/embed-offer'
import type { EmbedView } from '@lendloom/wire/hosted/embed-view'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Actions, Button, Form, TroubleNotice } from '../form/form.tsx'
import { Consent } from '../form/select-and-consent-fields.tsx'
import { UnitsPledged } from '../funds/funds-on-demand.tsx'
import { loanChunk } from '../loan/later-screens.tsx'
import { errorOf, type FieldErrors } from '../page/field-errors.ts'
import { isWeekly, lastMoment, months, percent, rupees, tenureOf } from '../page/format.ts'
import { page } from '../page/page-state.ts'
import { Title } from '../page/title.tsx'
import { Waiting } from '../page/waiting.tsx'
import { language, t } from '../text.ts'
import { changesOf, type FigureChange } from './changed-terms.ts'
import type { OfferPrice } from './compare-offers.ts'
import { AcceptSummary, CoolingOff, Fees, KeyFacts, Late, PayoutSummary } from './final-terms.tsx'
import { ExternalLink, lenderOf, Officer } from './lender.tsx'
import { aprOf, feesOf, fromFigure } from './offer-figures.ts'
import { GoldRows, keyFactsOf } from './offer-terms.tsx'
import { costOf } from './total-cost.ts'

function FinalisingScreen() {
  const { selected } = page.view.value
  const { lenderName: lender = '', amount = '0', tenureMonths = 0, terms } = selected ?? {}
  const tenure = terms && isWeekly(terms) ? tenureOf(terms) : months(tenureMonths)
  const lead = terms?.creditLine
    ? t('finalising.lead.line', { amount: rupees(amount) })
    : t('finalising.lead', { amount: rupees(amount), tenure })
  return (
    <section>
      <Title lead={lead}>{t('finalising.title', { lender })}</Title>
      <Waiting>{t('step.waiting', { lender })}</Waiting>
    </section>
  )
}

function FinalOfferScreen() {
  const { session, boot } = page
  const view = page.view.value
  const hasAgreed = useSignal(false)
  const errors = useSignal<FieldErrors>({})
  const attempt = useSignal(0)
  const digest = view.selected?.quote.termsDigest ?? ''
  const shownDigest = useSignal(digest)
  const isReplaced = useSignal(false)
  // The consent was given to other terms if the lender replaces its offer while the page shows it.
  useEffect(() => {
    if (shownDigest.value === digest) return
    shownDigest.value = digest
    isReplaced.value = true
    hasAgreed.value = false
  }, [digest])
  // Preloads the next screens.
  useEffect(() => void loanChunk.load(), [])
  if (!view.selected) return null
  const { terms, quote, offerId, lenderName: lender, changed, branch, pledges, lenderPage } = view.selected
  const path = `/offers/${encodeURIComponent(offerId)}`
  const isLine = terms.creditLine

  const bindingText = lenderPage ? t('final.lead.page', { lender }) : t('final.lead')
  const acceptText = lenderPage ? t('step.open', { lender }) : t(isLine ? 'final.accept.line' : 'final.accept')

  async function accept(): Promise<void> {
    if (!hasAgreed.value) {
      errors.value = { key_facts: '' }
      attempt.value += 1
      return
    }
    const consents = [{ purpose: 'key_facts', textVersion: boot.consentVersion, language: language.value }]
    await session.act({ method: 'POST', path: `${path}/accept`, body: { quote, consents } })
  }

  if (page.inner.value === 'decline')
    return (
      <Decline view={view} decline={() => void session.act({ method: 'POST', path: `${path}/decline`, body: {} })} />
    )
  return (
    <section key="terms" class="final">
      <Title lead={[amountChange(view), bindingText].filter(Boolean).join(' ')}>{t('final.title', { lender })}</Title>
      {isReplaced.value && (
        <div role="status" class="notice">
          <p>{t('trouble.replaced')}</p>
        </div>
      )}
      {terms.validUntil && <p class="known">{t('final.until', { when: lastMoment(terms.validUntil) })}</p>}
      <PayoutSummary offer={terms} />
      <Changes rows={changedRows(view)} changed={changed} />
      <Fees offer={terms} />
      <Late offer={terms} />
      <CoolingOff offer={terms} />
      {(terms.ltvRatio !== null || terms.branches.length > 0) && (
        <dl class="rows">
          <GoldRows offer={terms} branch={branch} />
        </dl>
      )}
      <UnitsPledged pledges={pledges} />
      <KeyFacts offer={terms} />
      <Form errors={errors.value} attempt={attempt.value} onSubmit={() => void accept()}>
        <p>{t(isLine ? 'final.read.line' : 'final.read')}</p>
        <p class="actions">
          <ExternalLink look="button plain" href={terms.keyFactsStatementUrl}>
            {keyFactsOf(terms)}
          </ExternalLink>
          <ExternalLink look="button quiet" href={terms.termsUrl}>
            {t('terms.conditions')}
          </ExternalLink>
        </p>
        <Consent
          name="key_facts"
          checked={hasAgreed.value}
          error={errorOf(errors.value, 'key_facts')}
          onValue={(isOn) => {
            hasAgreed.value = isOn
            errors.value = {}
          }}
        />
        <div class="accept">
          <TroubleNotice />
          <AcceptSummary offer={terms} />
          <Button submit>{acceptText}</Button>
        </div>
      </Form>
      <div class="actions">
        <Button kind="quiet" onClick={page.opener('decline')}>
          {t('final.decline')}
        </Button>
      </div>
      <Officer lender={lenderOf(view)} />
    </section>
  )
}

/** Asks before the borrower declines. Going back is the main button, because declining also ends the other offers. */
function Decline({ view, decline }: { view: EmbedView; decline(): void }) {
  const { terms, offerId, lenderName: lender = '' } = view.selected ?? {}
  const amount = rupees(terms?.amountPrincipal ?? 0)
  const count = view.offers.filter(({ id, expired }) => id !== offerId && !expired).length
  return (
    <section key="decline">
      <Title lead={t('final.decline.why')}>
        {t(terms?.creditLine ? 'final.decline.title.line' : 'final.decline.title', { amount, lender })}
      </Title>
      {count > 0 && <p>{t('final.decline.others', { count })}</p>}
      {count > 0 && !contractOf(view.journeyType).pledgesFunds && <p>{t('final.decline.ask', { lender })}</p>}
      <Actions>
        <Button onClick={page.opener('')}>{t('final.decline.no')}</Button>
        <Button kind="plain" onClick={decline}>
          {t('final.decline.yes')}
        </Button>
      </Actions>
    </section>
  )
}

/** What the borrower asked for, if the lender offers another amount; otherwise null. */
function amountChange({ selected }: EmbedView): string | null {
  if (!selected || Number(selected.amount) === Number(selected.terms.amountPrincipal)) return null
  return t('final.otherAmount', {
    asked: rupees(selected.amount),
    lender: selected.lenderName,
    amount: rupees(selected.terms.amountPrincipal),
  })
}

type ChangedRow = [label: string, was: string, now: string]

/** What differs from the offer that the borrower chose. */
function changedRows(view: EmbedView): ChangedRow[] {
  const { quoted } = page
  const { offerId, terms } = view.selected ?? {}
  return [
    ...changesOf(view).map(
      ({ figure, was, now }): ChangedRow => [
        figureName(figure, terms?.creditLine ?? false),
        formatFigure(figure, was),
        formatFigure(figure, now),
      ],
    ),
    ...(terms && quoted && quoted.offer.id === offerId ? estimatedRows(quoted, terms) : []),
  ]
}

/** Whether a difference is at most a rupee. */
const isRounding = (difference: number): boolean => Math.abs(difference) <= 1

/** What differs from our own estimate, if the borrower chose another amount or term. */
function estimatedRows(quoted: OfferPrice, terms: EmbedOffer): ChangedRow[] {
  const { fees } = costOf(terms)
  const apr = percent(terms.annualPercentageRate)
  const fee = rupees(fees)
  const rows: ChangedRow[] = []
  if (aprOf(quoted) !== fromFigure(apr, true)) rows.push([t('terms.apr'), aprOf(quoted), apr])
  if (!isRounding(quoted.fees - fees)) rows.push([t('final.fees.all'), feesOf(quoted), fee])
  return rows
}

function Changes({ rows, changed }: { rows: ChangedRow[]; changed: boolean }) {
  if (rows.length === 0) return changed ? null : <p class="known">{t('final.same')}</p>
  return (
    <table class="changes">
      <caption>{t('final.changed')}</caption>
      <thead>
        <tr>
          <td />
          <th scope="col">{t('final.was')}</th>
          <th scope="col">{t('final.now')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([label, was, now]) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td>{was}</td>
            <td>{now}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** A credit line has a limit, and is open for a time. */
function figureName(figure: FigureChange['figure'], isLine: boolean): string {
  if (isLine && figure === 'amount') return t('terms.limit')
  return isLine && figure === 'tenure' ? t('terms.open') : t(`terms.${figure}`)
}

function formatFigure(figure: FigureChange['figure'], value: string): string {
  if (figure === 'tenure') return months(Number(value))
  return figure === 'rate' || figure === 'apr' ? percent(value) : rupees(value)
}

page.screens = { ...page.screens, FINALISING: FinalisingScreen, FINAL_OFFER: FinalOfferScreen }
