// A step that is done on the lender's page: what will happen there, the way there, and waiting for the borrower's return.

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { EmbedView } from '#contract/hosted/embed.ts'
import { Actions, Button } from '../form/form.tsx'
import { Where } from '../gold/on-gold.tsx'
import { Bring } from '../gold/visit.tsx'
import { lenderOf, Mark, Officer } from '../offers/lender.tsx'
import { here } from '../page/here.ts'
import { openPage } from '../page/open-page.ts'
import { isOffline, isOnOnePage } from '../page/screen-step.ts'
import { Title } from '../page/title.tsx'
import { Waiting } from '../page/waiting.tsx'
import { t } from '../text.ts'
import { FailedStep } from './failed-step.tsx'

type LenderStepName = 'kyc' | 'bankMandate' | 'eMandate' | 'loanAgreement'
type Text = Exclude<LenderStepName, 'bankMandate'> | 'visit' | 'lien' | 'page' | 'offline' | 'statement'
const paths = {
  kyc: 'kyc',
  bankMandate: 'bank-mandate',
  eMandate: 'e-mandate',
  loanAgreement: 'loan-agreement',
} as const

export function KycScreen() {
  const view = here.view.value
  return <LenderStep name="kyc" text={isOnOnePage(view) ? 'page' : isOffline(view) ? 'offline' : 'kyc'} />
}
/** A gold loan's one step at the lender: the page books the visit, the branch does the rest. */
export const VisitScreen = () => <LenderStep name="kyc" text="visit" />
/** Against mutual funds: two pages of one step, the units first. */
export const LienScreen = () => <LenderStep name="eMandate" text="lien" />
/** The account is known, and the lender asks for its statement: on a page of ours. */
export const StatementScreen = () => <LenderStep name="bankMandate" text="statement" />
export const MandateScreen = () => <LenderStep name="eMandate" text="eMandate" />
export const AgreementScreen = () => <LenderStep name="loanAgreement" text="loanAgreement" />

/** A booked visit has no button: the borrower goes there next. */
const plain = { kind: 'plain' } as const

/** The reason for the visit; some differ for a credit line. */
function reasonFor(text: Text, isLine: boolean, lender: string): string {
  const isOfLoan = text === 'visit' || text === 'offline' || text === 'statement'
  return t(isLine && !isOfLoan ? `step.${text}.why.line` : `step.${text}.why`, { lender })
}

interface AboutProps {
  text: Text
  lender: string
  url: string | null
}

/** The owner of the step's page, its duration, what to keep ready, and what comes next. */
function About({ text, lender, url }: AboutProps) {
  const host = /^https?:\/\/([^/?#]+)/.exec(url ?? '')?.[1]
  const isOurs = text === 'statement'
  return (
    <dl class="rows">
      <dt>{t('step.whose')}</dt>
      <dd>
        {isOurs ? t('step.own', { lender }) : lender}
        {host && host !== location.host && <small> {host}</small>}
      </dd>
      <dt>{t('step.time')}</dt>
      <dd>{t(`step.${text}.time`)}</dd>
      {text !== 'visit' && (
        <>
          <dt>{t('step.bring')}</dt>
          <dd>{t(`step.${text}.bring`)}</dd>
        </>
      )}
      <dt>{t('step.next')}</dt>
      <dd>{t(`step.${text}.next`, { lender })}</dd>
    </dl>
  )
}

interface WayProps extends AboutProps {
  isAgain: boolean
  go(): void
}

/** The link to the lender's page, with preparation hints. */
const Way = ({ isAgain, go, ...about }: WayProps) => (
  <>
    <About {...about} />
    <p class="hint">{t('step.tab')}</p>
    <Actions>
      <Button onClick={go}>
        {t(isAgain ? 'step.retry' : about.text === 'visit' ? 'visit.open' : 'step.open', { lender: about.lender })}
      </Button>
    </Actions>
  </>
)

const lenderName = (view: EmbedView) => view.selected?.lenderName ?? ''

/** The lender of the step, below the application's name: no theme can hide or change it. */
const Who = ({ lender }: { lender: string }) => (
  <p class="who">
    <Mark name={lender} logoUrl={lenderOf(here.view.value)?.logoUrl ?? null} />
    <b>{lender}</b>
  </p>
)

/** When the browser refused a new window. */
const Blocked = ({ url, lender }: { url: string; lender: string }) => (
  <p class="notice">
    {t('step.blocked')}{' '}
    <a href={url} target="_blank" rel="noopener noreferrer">
      {t('step.blocked.link', { lender })}
    </a>
  </p>
)

interface HeadingProps {
  text: Text
  lender: string
  booked: boolean
  waiting: boolean
}

function Heading({ text, lender, booked, waiting }: HeadingProps) {
  if (booked && text === 'visit') return <Title lead={t('visit.booked.why', { lender })}>{t('visit.booked')}</Title>
  if (booked) return <Title lead={t('offline.pending.why')}>{t('offline.pending', { lender })}</Title>
  if (waiting) return <Title lead={t('step.finish.why')}>{t('step.finish', { lender })}</Title>
  const isLine = here.view.value.selected?.terms.creditLine === true
  return <Title lead={reasonFor(text, isLine, lender)}>{t(`step.${text}`)}</Title>
}

function LenderStep({ name, text }: { name: LenderStepName; text: Text }) {
  const view = here.view.value
  const { status, problem } = view.steps[name]
  const lender = lenderName(view)
  const opened = useSignal(false)
  const blocked = useSignal<string | null>(null)
  const failed = status === 'FAILURE'
  const isVisit = text === 'visit'
  const booked = name === 'kyc' && !failed && view.selected?.visitBooked === true
  const waiting = booked || (!failed && (opened.value || status === 'IN_PROGRESS'))
  const checked = useSignal(false)
  useEffect(() => {
    if (failed) opened.value = false
  }, [failed])

  /** Asks the lender again; without news, shows what is pending. */
  async function check(): Promise<void> {
    if (name === 'loanAgreement') await here.session.act({ method: 'POST', path: '/steps/loan-agreement/return' })
    else await here.session.ask()
    checked.value = true
  }

  async function go(): Promise<void> {
    blocked.value = await openPage(`/steps/${paths[name]}/open`, t('step.opening', { lender }), {
      opened() {
        opened.value = true
      },
    })
  }

  return (
    <section key={booked ? 'booked' : waiting ? 'waiting' : 'ready'}>
      <Who lender={lender} />
      <Heading text={text} lender={lender} booked={booked} waiting={waiting} />
      {waiting && !booked && (
        <Waiting>{t(checked.value ? 'step.notYet' : isVisit ? 'visit.waiting' : 'step.waiting', { lender })}</Waiting>
      )}
      {problem && !waiting && <FailedStep step={text} problem={problem} />}
      {isVisit && view.selected && <Where selected={view.selected} />}
      {booked && isVisit && <Bring />}
      {booked && <Waiting>{isVisit ? t('visit.booked.waiting') : t('offline.waiting', { lender })}</Waiting>}
      {blocked.value && <Blocked url={blocked.value} lender={lender} />}
      {waiting ? (
        <Actions>
          <Button {...(booked && plain)} onClick={() => void check()}>
            {t(booked ? 'visit.check' : 'step.check')}
          </Button>
          <Button kind="quiet" onClick={() => void go()}>
            {t('step.reopen', { lender })}
          </Button>
        </Actions>
      ) : (
        <Way
          text={text}
          lender={lender}
          url={view.steps[name].redirectUrl}
          isAgain={problem !== null}
          go={() => void go()}
        />
      )}
      {isVisit && !booked && <Bring />}
      <Officer lender={lenderOf(view)} />
    </section>
  )
}
