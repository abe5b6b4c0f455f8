// A step that is done on the lender's page: what will happen there, the way there, and waiting for the borrower's return.
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { EmbedView } from '#contract/hosted/embed.ts'
import { Actions, Button } from './form.tsx'
import { here } from './here.ts'
import { lenderOf, Officer } from './lender.tsx'
import { openPage } from './open-page.ts'
import { t } from './text.ts'
import { Title } from './title.tsx'
import { Waiting } from './waiting.tsx'

type Step = 'kyc' | 'eMandate' | 'loanAgreement'
const paths = { kyc: 'kyc', eMandate: 'e-mandate', loanAgreement: 'loan-agreement' } as const

export const KycScreen = () => <LenderStep name="kyc" />
export const MandateScreen = () => <LenderStep name="eMandate" />
export const AgreementScreen = () => <LenderStep name="loanAgreement" />

const lenderName = (view: EmbedView) => view.selected?.lenderName ?? ''

function LenderStep({ name }: { name: Step }) {
  const view = here.session.view.value!
  const { status, problem } = view.steps[name]
  const lender = lenderName(view)
  const opened = useSignal(false)
  const blocked = useSignal<string | null>(null)
  const failed = status === 'FAILURE'
  const waiting = !failed && (opened.value || status === 'IN_PROGRESS')
  useEffect(() => {
    if (failed) opened.value = false
  }, [failed])

  async function go(): Promise<void> {
    blocked.value = await openPage(`/steps/${paths[name]}/open`, t('step.opening', { lender }), () => {
      opened.value = true
    })
  }

  return (
    <section key={waiting ? 'waiting' : 'ready'}>
      {waiting ? (
        <>
          <Title lead={t('step.waiting.why')}>{t('step.waiting', { lender })}</Title>
          <Waiting>{t('page.working')}</Waiting>
        </>
      ) : (
        <Title lead={t(`step.${name}.why`, { lender })}>{t(`step.${name}`)}</Title>
      )}
      {problem && !waiting && (
        <div class="notice" role="alert">
          <strong>{t('step.problem')}</strong>
          <p>{problem}</p>
        </div>
      )}
      {blocked.value && (
        <p class="notice">
          {t('step.blocked')}{' '}
          <a href={blocked.value} target="_blank" rel="noopener noreferrer">
            {t('step.blocked.link', { lender })}
          </a>
        </p>
      )}
      {!waiting && <p class="hint">{t('step.tab')}</p>}
      <Actions>
        {waiting ? (
          <>
            <Button onClick={() => void here.session.ask()}>{t('step.check')}</Button>
            <Button kind="quiet" onClick={() => void go()}>
              {t('step.reopen', { lender })}
            </Button>
          </>
        ) : (
          <Button onClick={() => void go()}>
            {problem ? t('step.retry', { lender }) : t('step.open', { lender })}
          </Button>
        )}
      </Actions>
      <Officer lender={lenderOf(view)} />
    </section>
  )
}
