// Chunk with the endings without a loan: what happened, why, what the borrower can do, and the link back to the app.

import type { BureauName } from '@lendloom/lending/reason/advice'
import type { EmbedLender } from '@lendloom/wire/hosted/embed-lender'
import type { EmbedSessionReply } from '@lendloom/wire/hosted/embed-requests'
import type { EmbedView } from '@lendloom/wire/hosted/embed-view'
import { Actions, Button } from '../form/form.tsx'
import { GoldLocation } from '../gold/gold-on-demand.tsx'
import { ExternalLink, lenderOf, Officer } from '../offers/lender.tsx'
import { moment } from '../page/format.ts'
import { page } from '../page/page-state.ts'
import { translate } from '../page/server-texts.ts'
import { Title } from '../page/title.tsx'
import { language, t, textOf } from '../text.ts'
import { Exit } from './stopped-page.tsx'

type LoanEnd = 'NOT_OFFERED' | 'REJECTED' | 'NO_ANSWER' | 'EXPIRED'

function Ended({ ending }: { ending: LoanEnd }) {
  const view = page.view.value
  const { advice, withdrawnAt, hostName: host } = view
  const asksOthers = view.mayAskOthers && !withdrawnAt
  const withdrawal = withdrawnAt && t('withdraw.done', { when: moment(withdrawnAt) })
  const explanation = textOf(`end.${ending}.${view.expiredFor ?? view.journeyType}`)
  return (
    <section>
      <Title lead={withdrawal || explanation || t(`end.${ending}.why`)}>{t(`end.${ending}`)}</Title>
      {ending !== 'EXPIRED' && !withdrawal && <Reason />}
      {ending === 'NOT_OFFERED' && view.lenders.length > 0 && <Answers lenders={view.lenders} />}
      {ending === 'NO_ANSWER' && (
        <AskAgain path="/profile/submit" text={t('end.NO_ANSWER.consent')} button={t('trouble.again')} />
      )}
      {advice.length > 0 && (
        <div class="all">
          <h2>{t('end.do')}</h2>
          {advice.map((each) => (
            <p key={each}>{t(`end.do.${each}`, { host })}</p>
          ))}
        </div>
      )}
      {advice.includes('GOLD') && view.selected && <GoldLocation selected={view.selected} />}
      {advice.includes('CREDIT') && <CreditReport bureau={view.bureau} />}
      <WhenAgain advice={advice} />
      {asksOthers && <AskOthers />}
      {withdrawal && view.lenders.length > 0 && (
        <p>{t('withdraw.received', { lenders: view.lenders.map(({ name }) => name).join(', ') })}</p>
      )}
      {view.allRefused && !withdrawal && <p>{t('end.none')}</p>}
      {ending === 'REJECTED' && <Officer lender={lenderOf(view)} />}
      {ending !== 'NO_ANSWER' && (
        <Exit kind={asksOthers ? 'plain' : 'main'} {...(host && { text: t('end.back', { host }) })} />
      )}
    </section>
  )
}

function Reason() {
  const { endReason, selected } = page.view.value
  if (!endReason) return null
  return (
    <div class="estimate">
      <p>{[t('end.why'), selected?.lenderName].filter(Boolean).join(' · ')}</p>
      <p class="reason">{translate(endReason)}</p>
    </div>
  )
}

/** Why no lender made an offer: each reason once, with the lenders that gave it. */
function Answers({ lenders }: { lenders: EmbedLender[] }) {
  const namesByReason = new Map<string, string[]>()
  for (const { name, reason } of lenders) {
    const text = translate(reason) ?? t('searching.NO_OFFER_AVAILABLE')
    namesByReason.set(text, [...(namesByReason.get(text) ?? []), name])
  }
  return (
    <div class="estimate all">
      <h2>{t('end.answers')}</h2>
      <dl class="reasons">
        {[...namesByReason].map(([reason, names]) => (
          <div key={reason}>
            <dt>{reason}</dt>
            <dd>{names.join(' · ')}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

/** When the same question can have another answer. Other advice says it itself. */
function WhenAgain({ advice }: Pick<EmbedView, 'advice'>) {
  const isOnReport = advice.includes('CREDIT')
  if (!isOnReport && !advice.includes('INCOME')) return null
  return (
    <div class="all">
      <h2>{t('bureau.when')}</h2>
      <p>{t(isOnReport ? 'bureau.when.how' : 'end.again.income')}</p>
    </div>
  )
}

const reports: Record<BureauName, [name: string, url: string]> = {
  CIBIL: ['TransUnion CIBIL', 'https://www.cibil.com/freecibilscore'],
  EXPERIAN: ['Experian', 'https://www.experian.in/consumer/experian-free-credit-report'],
  EQUIFAX: ['Equifax', 'https://www.equifax.co.in'],
  CRIF: ['CRIF High Mark', 'https://www.crifhighmark.com'],
}
const bureaus = ['CIBIL', 'EXPERIAN', 'EQUIFAX', 'CRIF'] as const

/** Rights under the Credit Information Companies (Regulation) Act: one free report a year, and corrections. */
function CreditReport({ bureau }: { bureau: BureauName | null }) {
  const sortedBureaus = bureau ? [bureau, ...bureaus.filter((each) => each !== bureau)] : bureaus
  return (
    <details>
      <summary>{t('bureau.title')}</summary>
      <div class="all">
        <p>{bureau ? t('bureau.named', { bureau: reports[bureau][0] }) : t('bureau.unnamed')}</p>
        <div>
          <p>{t('bureau.free')}</p>
          <ul class="papers">
            {sortedBureaus.map((each) => (
              <li key={each}>
                <ExternalLink href={reports[each][1]}>{reports[each][0]}</ExternalLink>
              </li>
            ))}
          </ul>
        </div>
        <div>
          <h3>{t('bureau.dispute')}</h3>
          <p>{t('bureau.dispute.how')}</p>
        </div>
      </div>
    </details>
  )
}

function AskOthers() {
  const lender = page.view.value.selected?.lenderName
  return (
    <section class="card" aria-labelledby="ask">
      <h2 id="ask">{t('end.ask')}</h2>
      {lender && <p>{t('end.ask.without', { lender })}</p>}
      <AskAgain path="/journey/other-lenders" text={t('end.ask.how')} button={t('end.ask.do')} />
    </section>
  )
}

interface AskAgainProps {
  path: string
  text: string
  button: string
}

/** Asks lenders with the same details, under the same consents with their current texts. */
function AskAgain({ path, text, button }: AskAgainProps) {
  const { session, boot, memory } = page
  const { selected } = page.view.value
  const consents = (['bureau', 'data_sharing'] as const).map((purpose) => ({
    purpose,
    textVersion: boot.consentVersion,
    language: language.value,
  }))
  return (
    <>
      <p class="hint">{text}</p>
      <ul class="answers">
        <li>{t('consent.bureau')}</li>
        <li>{t('consent.data_sharing')}</li>
      </ul>
      <Actions>
        <Button
          onClick={() => {
            page.earlier = selected && { amount: Number(selected.amount), months: selected.tenureMonths }
            void session.act<{ view: EmbedView } & Partial<EmbedSessionReply>>(
              { method: 'POST', path, body: { consents } },
              // The answer about another journey has a session of its own.
              ({ sessionToken }) => sessionToken && memory.update({ session: sessionToken, relayed: 0 }),
            )
          }}
        >
          {button}
        </Button>
      </Actions>
    </>
  )
}

page.screens = {
  ...page.screens,
  NOT_OFFERED: () => <Ended ending="NOT_OFFERED" />,
  REJECTED: () => <Ended ending="REJECTED" />,
  NO_ANSWER: () => <Ended ending="NO_ANSWER" />,
  EXPIRED: () => <Ended ending="EXPIRED" />,
}
