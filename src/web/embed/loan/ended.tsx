// An end without a loan, as a separate chunk: the event, an actionable reason, the next options, and the way back.

import type { EmbedOffer } from '#contract/hosted/embed.ts'
import type { BureauName } from '#contract/reason/advice.ts'
import { Actions, Button } from '../form/form.tsx'
import { Where } from '../gold/on-gold.tsx'
import { priced } from '../offers/compare.ts'
import { Answers, Away, lenderOf, Mark, Officer } from '../offers/lender.tsx'
import { moment, months, percent, rupees } from '../page/format.ts'
import { here } from '../page/here.ts'
import { Title } from '../page/title.tsx'
import { inLanguage } from '../page/words.ts'
import { language, t, textOf } from '../text.ts'
import { Exit } from './stop.tsx'

type LoanEnd = 'NOT_OFFERED' | 'REJECTED' | 'NO_ANSWER' | 'EXPIRED'

function Ended({ how }: { how: LoanEnd }) {
  const view = here.view.value
  const { advice, withdrawnAt, hostName: host } = view
  const withdrawn = withdrawnAt && t('withdraw.done', { when: moment(withdrawnAt) })
  const why = textOf(`end.${how}.${view.expiredFor ?? view.journeyType}`)
  const isOwn = advice.includes('OWN')
  return (
    <section>
      <Title lead={withdrawn || why || t(`end.${how}.why`)}>{t(`end.${how}`)}</Title>
      {how !== 'EXPIRED' && !withdrawn && <Reason isOwn={isOwn} />}
      {how === 'NO_ANSWER' && <AskAgain />}
      {advice.length > 0 && (
        <div class="all">
          <h2>{t('end.do')}</h2>
          {advice.map((each) => (
            <p key={each}>{t(`end.do.${each}`, { host })}</p>
          ))}
        </div>
      )}
      {advice.includes('GOLD') && view.selected && <Where selected={view.selected} />}
      {advice.includes('CREDIT') && <CreditReport bureau={view.bureau} />}
      {how !== 'NO_ANSWER' && <Exit {...(host && { text: t('end.back', { host }) })} />}
      {how === 'NOT_OFFERED' && view.lenders.length > 0 && (
        <>
          <h2>{t('end.answers')}</h2>
          <Answers lenders={view.lenders} />
        </>
      )}
      {withdrawn && view.lenders.length > 0 && (
        <p>{t('withdraw.received', { lenders: view.lenders.map(({ name }) => name).join(', ') })}</p>
      )}
      {how === 'REJECTED' && !withdrawn && <OtherOffers host={host} />}
      {how === 'REJECTED' && <Officer lender={lenderOf(view)} />}
    </section>
  )
}

/** The lender's text, or ours for its code; the borrower's own act has none. */
function Reason({ isOwn }: { isOwn: boolean }) {
  const { endReason, selected } = here.view.value
  if (!endReason) return null
  const isLenders = selected && !isOwn && 'outside' in endReason
  return (
    <div class="estimate">
      <p>{isLenders ? t('end.why.lender', { lender: selected.lenderName }) : t('end.why')}</p>
      <p class="amount">{inLanguage(endReason)}</p>
    </div>
  )
}

/** Each bureau's free annual report. */
const reports: Record<BureauName, [name: string, url: string]> = {
  CIBIL: ['TransUnion CIBIL', 'https://www.cibil.com/freecibilscore'],
  EXPERIAN: ['Experian', 'https://www.experian.in/consumer/experian-free-credit-report'],
  EQUIFAX: ['Equifax', 'https://www.equifax.co.in'],
  CRIF: ['CRIF High Mark', 'https://www.crifhighmark.com'],
}
const all = ['CIBIL', 'EXPERIAN', 'EQUIFAX', 'CRIF'] as const

/**
 * A borrower's rights on a credit report (Credit Information Companies (Regulation) Act): one free report a year, and
 * corrections.
 */
function CreditReport({ bureau }: { bureau: BureauName | null }) {
  const inOrder = bureau ? [bureau, ...all.filter((each) => each !== bureau)] : all
  return (
    <section class="card" aria-labelledby="bureau">
      <h2 id="bureau">{t('bureau.title')}</h2>
      <p>{bureau ? t('bureau.named', { bureau: reports[bureau][0] }) : t('bureau.unnamed')}</p>
      <div>
        <p>{t('bureau.free')}</p>
        <ul class="papers">
          {inOrder.map((each) => (
            <li key={each}>
              <Away href={reports[each][1]}>{reports[each][0]}</Away>
            </li>
          ))}
        </ul>
      </div>
      <div>
        <h3>{t('bureau.dispute')}</h3>
        <p>{t('bureau.dispute.how')}</p>
      </div>
      <div>
        <h3>{t('bureau.when')}</h3>
        <p>{t('bureau.when.how')}</p>
      </div>
    </section>
  )
}

/** An offer at what the borrower chose, or the nearest that its lender offers; what is estimated is marked. */
function termsAt(offer: EmbedOffer, { amount, tenureMonths }: { amount: string; tenureMonths: number }): string {
  if (offer.creditLine)
    return t('end.others.line', { amount: rupees(offer.amountPrincipal), rate: percent(offer.interestRate) })
  const at = priced(offer, { amount: Number(amount), months: tenureMonths })
  const figure = (value: number | null, written: (text: string) => string) =>
    value === null ? '–' : `${at.isEstimate ? '≈' : ''}${written(String(value))}`
  return t('end.others.terms', {
    sum: rupees(at.amount),
    term: months(at.months),
    amount: figure(at.instalment, rupees),
    count: at.count,
    rate: figure(at.apr, percent),
  })
}

/** A journey that has ended takes no choice any more: what others offered is named, with the way to ask for it again. */
function OtherOffers({ host }: { host: string }) {
  const { offers, selected, lenders } = here.view.value
  const others = offers.filter(({ expired, lenderId }) => !expired && lenderId !== selected?.terms.lenderId)
  if (others.length === 0) return null
  return (
    <div class="all">
      <h2>{t('end.others')}</h2>
      <ul class="answers">
        {others.map((offer) => (
          <li key={offer.id}>
            <Mark name={offer.lenderName} logoUrl={lenders.find(({ id }) => id === offer.lenderId)?.logoUrl ?? null} />
            <div>
              <b>{offer.lenderName}</b>
              <p>{termsAt(offer, selected ?? { amount: offer.amountPrincipal, tenureMonths: offer.tenureMonths })}</p>
            </div>
          </li>
        ))}
      </ul>
      <p class="hint">{t('end.others.how', { host })}</p>
    </div>
  )
}

/** The same consents again, with their current texts. */
function AskAgain() {
  const { session, boot } = here
  const consents = (['bureau', 'data_sharing'] as const).map((purpose) => ({
    purpose,
    textVersion: boot.consentVersion,
    language: language.value,
  }))
  return (
    <>
      <p class="hint">{t('end.NO_ANSWER.consent')}</p>
      <ul class="consent-texts">
        <li>{t('consent.bureau')}</li>
        <li>{t('consent.data_sharing')}</li>
      </ul>
      <Actions>
        <Button onClick={() => void session.act({ method: 'POST', path: '/profile/submit', body: { consents } })}>
          {t('trouble.again')}
        </Button>
      </Actions>
    </>
  )
}

here.fetched = {
  ...here.fetched,
  NOT_OFFERED: () => <Ended how="NOT_OFFERED" />,
  REJECTED: () => <Ended how="REJECTED" />,
  NO_ANSWER: () => <Ended how="NO_ANSWER" />,
  EXPIRED: () => <Ended how="EXPIRED" />,
}
