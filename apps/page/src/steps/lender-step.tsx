// A step on the lender's page: what happens there, the link, and waiting for the result.

import { contractOf } from '@lendloom/lending/product/products'
import type { EmbedView } from '@lendloom/wire/hosted/embed-view'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Actions, Button } from '../form/form.tsx'
import { GoldLocation } from '../gold/gold-on-demand.tsx'
import { ThingsToBring } from '../gold/visit-checklist.tsx'
import { LenderLogo, lenderOf, Officer } from '../offers/lender.tsx'
import { BlockedNotice } from '../page/blocked-notice.tsx'
import { rupees } from '../page/format.ts'
import { openPage } from '../page/open-page.ts'
import { page } from '../page/page-state.ts'
import { isOffline, isOnOnePage } from '../page/progress-step.ts'
import { Title } from '../page/title.tsx'
import { Waiting } from '../page/waiting.tsx'
import { t } from '../text.ts'
import { FailedStep, stepsWithNumbers } from './failed-step.tsx'

type LenderStepName = 'kyc' | 'bankMandate' | 'eMandate' | 'loanAgreement'
type StepText = Exclude<LenderStepName, 'bankMandate'> | 'visit' | 'lien' | 'page' | 'onePage' | 'offline' | 'statement'
const paths = {
  kyc: 'kyc',
  bankMandate: 'bank-mandate',
  eMandate: 'e-mandate',
  loanAgreement: 'loan-agreement',
} as const

export const KycScreen = () => <LenderStep name="kyc" text={kycText(page.view.value)} />

function kycText(view: EmbedView): StepText {
  const { pledgesFunds } = contractOf(view.journeyType)
  if (view.selected?.lenderPage?.isOnline && !pledgesFunds) return 'onePage'
  if (isOnOnePage(view)) return 'page'
  return isOffline(view) ? 'offline' : 'kyc'
}

type Stops = NonNullable<NonNullable<EmbedView['selected']>['lenderPage']>['stops']

interface PageStopsProps {
  stops: Stops
  /** Whether the payout ends the page. */
  paysOnPage: boolean
  isPaying: boolean
}

/** What the lender has told about its page, step by step, and the payout that ends it. */
function PageStops({ stops, paysOnPage, isPaying }: PageStopsProps) {
  if (stops.every(({ state }) => state === 'next')) return null
  const payout = { step: 'disbursal', state: isPaying ? 'now' : 'next' } as const
  return (
    <ol class="step-list">
      {[...stops, ...(paysOnPage ? [payout] : [])].map(({ step, state }) => (
        <li key={step} class={state}>
          <span>{stopName(step)}</span>
          {state !== 'next' && <small>{t(`working.${state}`)}</small>}
        </li>
      ))}
    </ol>
  )
}

function stopName(step: Stops[number]['step'] | 'disbursal'): string {
  if (step === 'pledge') return t('progress.pledge')
  const isLine = page.view.value.selected?.terms.creditLine
  return t(step === 'loanAgreement' && isLine ? 'stepName.loanAgreement.line' : `stepName.${step}`)
}

/** A gold loan's only step at the lender: the borrower books a visit on its page, and the branch does the rest. */
export const VisitScreen = () => <LenderStep name="kyc" text="visit" />
/** Pledge of mutual fund units, which is the first of two pages of the mandate step. */
export const LienScreen = () => <LenderStep name="eMandate" text="lien" />
/** Fetches a bank statement, on a page of the platform. */
export const StatementScreen = () => <LenderStep name="bankMandate" text="statement" />
export const MandateScreen = () => <LenderStep name="eMandate" text="eMandate" />
export const AgreementScreen = () => <LenderStep name="loanAgreement" text="loanAgreement" />

const partOf = (text: StepText, part: 'open' | 'waiting') =>
  text === 'visit' || text === 'statement' ? (`step.${text}.${part}` as const) : (`step.${part}` as const)

/** Why the borrower visits the page; some texts differ for a credit line. */
function reasonFor(text: StepText, isLine: boolean, lender: string): string {
  // The page also asks for the account and the acceptance if the lender has no other step for them.
  if (text === 'page' && hasAllOnPage()) return t(isLine ? 'step.page.why.all.line' : 'step.page.why.all', { lender })
  const isSameForLine = text === 'visit' || text === 'offline' || text === 'onePage' || text === 'statement'
  return t(isLine && !isSameForLine ? `step.${text}.why.line` : `step.${text}.why`, { lender })
}

const hasAllOnPage = () => page.view.value.selected?.lenderPage != null

const PageInfo = ({ text }: { text: StepText }) => (
  <dl class="rows">
    <dt>{t('step.time')}</dt>
    <dd>{t(`step.${text}.time`)}</dd>
    {text !== 'visit' && (
      <>
        <dt>{t('step.bring')}</dt>
        <dd>{t(text === 'page' && hasAllOnPage() ? 'step.page.bring.all' : `step.${text}.bring`)}</dd>
      </>
    )}
    <dt>{t('step.next')}</dt>
    <dd>{t(`step.${text}.next`, { lender: lenderName(page.view.value) })}</dd>
  </dl>
)

interface PageLinkProps {
  text: StepText
  url: string | null
  isRetry: boolean
  open(): void
}

/** The link to the lender's page, with preparation hints and its host, which the browser will show. */
function PageLink({ text, url, isRetry, open }: PageLinkProps) {
  const lender = lenderName(page.view.value)
  const host = /^https?:\/\/([^/?#]+)/.exec(url ?? '')?.[1]
  const isElsewhere = host !== undefined && host !== location.host
  return (
    <>
      <PageInfo text={text} />
      <p class="hint">
        {isElsewhere && `${t('step.site', { lender, host })} `}
        {t('step.tab')}
      </p>
      <Actions>
        <Button onClick={open}>{t(isRetry ? 'step.retry' : partOf(text, 'open'), { lender })}</Button>
      </Actions>
    </>
  )
}

const lenderName = (view: EmbedView) => view.selected?.lenderName ?? ''

/** The lender and its final terms, before them the chosen amount. Themes cannot hide or change it. */
export function LenderName() {
  const view = page.view.value
  const lender = lenderName(view)
  const { terms, amount, final } = view.selected ?? {}
  return (
    <div class="who">
      <LenderLogo name={lender} logoUrl={lenderOf(view)?.logoUrl ?? null} />
      <p>
        <b>{lender}</b>
        {terms && amount && (
          <small class="per-month">
            {rupees(final ? terms.amountPrincipal : amount)}
            {final &&
              !terms.creditLine &&
              ` · ${rupees(terms.installmentAmount)} ${t('terms.times', { count: terms.numberOfInstallments })}`}
          </small>
        )}
      </p>
    </div>
  )
}

interface HeadingProps {
  text: StepText
  lender: string
  isBooked: boolean
  isWaiting: boolean
  /** The borrower has completed the lender's page, and the lender pays out. */
  isPaying: boolean
}

function Heading({ text, lender, isBooked, isWaiting, isPaying }: HeadingProps) {
  if (isBooked && text === 'visit') {
    const isTimeKnown = page.view.value.selected?.visit != null
    return <Title lead={t(isTimeKnown ? 'visit.booked.at' : 'visit.booked.why', { lender })}>{t('visit.booked')}</Title>
  }
  if (isBooked) return <Title lead={t('offline.pending.why')}>{t('offline.pending', { lender })}</Title>
  if (isPaying) return <Title lead={t('step.paying.why', { lender })}>{t('step.paying', { lender })}</Title>
  if (isWaiting && text === 'statement') return <Title lead={t('step.finish.why')}>{t('step.statement.finish')}</Title>
  if (isWaiting) return <Title lead={t('step.finish.why')}>{t('step.finish', { lender })}</Title>
  const isLine = page.view.value.selected?.terms.creditLine === true
  return <Title lead={reasonFor(text, isLine, lender)}>{t(`step.${text}`)}</Title>
}

function LenderStep({ name, text }: { name: LenderStepName; text: StepText }) {
  const view = page.view.value
  const { status, problem } = view.steps[name]
  const lender = lenderName(view)
  const isOwnPage = text === 'statement'
  const hasOpened = useSignal(false)
  const blockedUrl = useSignal<string | null>(null)
  const hasFailed = status === 'FAILURE'
  const isVisit = text === 'visit'
  const isBooked = name === 'kyc' && !hasFailed && view.selected?.visitBooked === true
  const { stops = [], isDone = false } = view.selected?.lenderPage ?? {}
  // A loan against mutual funds is paid out, or its line opened, only after the page.
  const paysOnPage = !contractOf(view.journeyType).pledgesFunds
  const isPaying = paysOnPage && !hasFailed && isDone
  const isWaiting = isPaying || isBooked || (!hasFailed && (hasOpened.value || status === 'IN_PROGRESS'))
  const hasChecked = useSignal(false)
  useEffect(() => {
    if (hasFailed) hasOpened.value = false
  }, [hasFailed])

  /** Reports the return and reads the state; if it is unchanged, says that the step is still pending. */
  async function check(): Promise<void> {
    // The page for bank statements is the platform's own.
    if (name === 'bankMandate') await page.session.refresh()
    else await page.session.act({ method: 'POST', path: `/steps/${paths[name]}/return` })
    hasChecked.value = true
  }

  function waitingText() {
    if (isPaying) return 'step.waiting'
    return hasChecked.value ? 'step.notYet' : partOf(text, 'waiting')
  }

  async function open(): Promise<void> {
    blockedUrl.value = await openPage(
      `/steps/${paths[name]}/open`,
      isOwnPage ? t('page.working') : t('step.opening', { lender }),
      {
        onOpen() {
          hasOpened.value = true
        },
      },
    )
  }

  return (
    <section key={isBooked ? 'booked' : isWaiting ? 'waiting' : 'ready'}>
      <LenderName />
      <Heading text={text} lender={lender} isBooked={isBooked} isWaiting={isWaiting} isPaying={isPaying} />
      {isWaiting && !isBooked && <Waiting>{t(waitingText(), { lender })}</Waiting>}
      {isWaiting && <PageStops stops={stops} paysOnPage={paysOnPage} isPaying={isPaying} />}
      {problem && !isWaiting && <FailedStep step={text} problem={problem} />}
      {isVisit && view.selected && <GoldLocation selected={view.selected} />}
      {isVisit && <ThingsToBring />}
      {isBooked && <Waiting>{isVisit ? t('visit.booked.waiting') : t('offline.waiting', { lender })}</Waiting>}
      <BlockedNotice url={blockedUrl.value}>
        {isOwnPage ? t('step.statement.open') : t('step.blocked.link', { lender })}
      </BlockedNotice>
      {isWaiting && !isPaying && (
        <Actions>
          <Button kind={isBooked ? 'plain' : undefined} onClick={() => void check()}>
            {t(isBooked ? 'visit.check' : 'step.check')}
          </Button>
          <Button kind="quiet" onClick={() => void open()}>
            {isOwnPage ? t('step.statement.reopen') : t('step.reopen', { lender })}
          </Button>
        </Actions>
      )}
      {!isWaiting && (
        <PageLink text={text} url={view.steps[name].redirectUrl} isRetry={problem !== null} open={() => void open()} />
      )}
      <Officer lender={lenderOf(view)} open={problem !== null && !isWaiting && stepsWithNumbers.has(text)} />
    </section>
  )
}
