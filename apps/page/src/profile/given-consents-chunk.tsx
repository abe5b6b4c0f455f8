// Chunk with the journey's recorded consents: text, recipients, expiry and withdrawal, also of all at once.

import type {
  EmbedAggregatorConsent,
  EmbedConsentsReply,
  EmbedGivenConsent,
  EmbedGivenConsents,
} from '@lendloom/wire/hosted/embed-consents'
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Actions, Button } from '../form/form.tsx'
import { ExternalLink } from '../offers/lender.tsx'
import { fetchOptional } from '../page/fetch-optional.ts'
import { day, moment } from '../page/format.ts'
import { page } from '../page/page-state.ts'
import { policyUrl } from '../page/privacy-policy-url.ts'
import { Title } from '../page/title.tsx'
import { t } from '../text.ts'

/** Loads the consents, and again when the journey's view changes. */
function useConsents() {
  const consents = useSignal<EmbedGivenConsents | null>(null)
  const failed = useSignal(false)
  const load = async (): Promise<void> => {
    const answer = await fetchOptional<EmbedConsentsReply>('/consents')
    failed.value = answer === null
    if (answer) consents.value = answer.consents
  }
  const { version } = page.view.value
  // Progress of the journey can end a consent.
  useEffect(() => void load(), [version])
  return { value: consents.value, failed: failed.value, load }
}

const withdraw = () => page.session.act({ method: 'POST', path: '/consents/withdraw', body: {} })

const Withdrawal = () => (
  <section>
    <Title lead={t('withdraw.why')}>{t('withdraw.title')}</Title>
    <Actions>
      <Button onClick={() => void withdraw()}>{t('withdraw.yes')}</Button>
      <Button kind="plain" onClick={page.opener('')}>
        {t('withdraw.no')}
      </Button>
    </Actions>
  </section>
)

function ConsentsSection({ close }: { close(): void }) {
  const { value, failed, load } = useConsents()
  const { screen, creditLine } = page.view.value
  const isPaidOut = screen === 'DISBURSED' || screen === 'CLOSED'
  const back = isPaidOut ? 'given.close.loan' : 'given.close'
  const openId = useSignal('')
  const section = useRef<HTMLElement>(null)
  async function confirm(): Promise<void> {
    await withdraw()
    openId.value = ''
    section.current?.focus()
  }
  const setOpenId = (id: string) => () => {
    openId.value = id
  }
  return (
    <section class="help" tabIndex={-1} ref={section}>
      <Title lead={t(value && value.given.length === 0 ? 'given.none' : 'given.lead')}>{t('given.title')}</Title>
      {failed && <LoadFailure retry={() => void load()} />}
      {value?.given.some(({ standing }) => standing === 'BINDING') && <p>{bindingText()}</p>}
      {value?.given.map((each) => (
        <ConsentCard
          key={each.id}
          consent={each}
          isOpen={openId.value === each.id}
          onOpen={setOpenId(each.id)}
          onConfirm={() => void confirm()}
          onCancel={setOpenId('')}
        />
      ))}
      {value?.atAggregator.map((each) => (
        <AggregatorConsent key={each.givenAt} consent={each} />
      ))}
      {value?.atRegistrar && <RegistrarConsent {...value.atRegistrar} />}
      <p>
        <ExternalLink href={policyUrl()}>{t('given.policy')}</ExternalLink>
      </p>
      <Actions>
        <Button kind="quiet" onClick={close}>
          {t(creditLine ? 'given.close.line' : back)}
        </Button>
      </Actions>
    </section>
  )
}

/** On a lender's one page the borrower still decides. */
function bindingText(): string {
  const { selected, steps } = page.view.value
  const isUndecided = selected?.lenderPage != null && steps.kyc.status !== 'SUCCESS'
  return isUndecided ? t('given.BINDING.page', { lender: selected.lenderName }) : t('given.BINDING.why')
}

const LoadFailure = ({ retry }: { retry(): void }) => (
  <div class="notice" role="alert">
    <p>{t('given.failed')}</p>
    <Button kind="plain" onClick={retry}>
      {t('trouble.again')}
    </Button>
  </div>
)

interface ConsentCardProps extends WithdrawalQuestionProps {
  isOpen: boolean
  onOpen(): void
}

const ConsentCard = ({ consent, isOpen, onOpen, onConfirm, onCancel }: ConsentCardProps) => (
  <article class="card" aria-labelledby={`given-${consent.id}`}>
    <h2 id={`given-${consent.id}`}>{t(`given.${consent.purpose}`)}</h2>
    <q lang={consent.language}>{consent.text}</q>
    <Facts consent={consent} />
    {consent.standing === 'BINDING' ? null : consent.standing !== 'ENDS' ? (
      <p class="hint">{t(`given.${consent.standing}.why`)}</p>
    ) : isOpen ? (
      <WithdrawalQuestion consent={consent} onConfirm={onConfirm} onCancel={onCancel} />
    ) : (
      <Button kind="plain" onClick={onOpen}>
        {t('given.withdraw')}
      </Button>
    )}
  </article>
)

const AggregatorConsent = ({ consent: { aggregator, lender, givenAt } }: { consent: EmbedAggregatorConsent }) => (
  <article class="card">
    <h2>{t('given.there')}</h2>
    <p>{t('given.there.why', { aggregator, lender })}</p>
    <p class="hint">{moment(givenAt)}</p>
  </article>
)

/** The consent to fetch the fund statement. */
const RegistrarConsent = (from: NonNullable<EmbedGivenConsents['atRegistrar']>) => (
  <article class="card">
    <h2>{t('given.funds')}</h2>
    <p>{t('given.funds.why', from)}</p>
    <p class="hint">{moment(from.givenAt)}</p>
  </article>
)

const Facts = ({ consent }: { consent: EmbedGivenConsent }) => (
  <>
    <dl class="rows">{consent.ended ? <SplitEnds consent={consent} ended={consent.ended} /> : <End {...consent} />}</dl>
    <p class="hint">{t('given.when', { when: moment(consent.givenAt), version: day(consent.textVersion) })}</p>
  </>
)

/** The recipients, and until when the consent holds for all of them. */
const End = ({ lenders, standing, until, withdrawnAt }: EmbedGivenConsent) => (
  <>
    <dt>{t('given.to')}</dt>
    <dd>{lenders.join(', ') || t('given.to.none')}</dd>
    <dt>{t('given.until')}</dt>
    <dd>
      {standing === 'ENDS' || standing === 'WITHDRAWN'
        ? t(`given.until.${standing}`, { date: moment((standing === 'ENDS' ? until : withdrawnAt) ?? '') })
        : t(`given.until.${standing}`)}
    </dd>
  </>
)

interface SplitEndsProps {
  consent: EmbedGivenConsent
  ended: NonNullable<EmbedGivenConsent['ended']>
}

/** The lender of the loan keeps the consent; for the others it ended with the acceptance. */
const SplitEnds = ({ consent: { lenders, standing }, ended }: SplitEndsProps) => (
  <>
    <dt>{lenders.filter((name) => !ended.lenders.includes(name)).join(', ')}</dt>
    <dd>{t(standing === 'BINDING' ? 'given.kept' : 'given.until.OVER')}</dd>
    <dt>{ended.lenders.join(', ')}</dt>
    <dd>{t('given.ended', { date: day(ended.at) })}</dd>
  </>
)

interface WithdrawalQuestionProps {
  consent: EmbedGivenConsent
  onConfirm(): void
  onCancel(): void
}

/** The confirmation of a withdrawal, with its effect and the lenders that already received data. */
function WithdrawalQuestion({ consent: { lenders }, onConfirm, onCancel }: WithdrawalQuestionProps) {
  const title = useRef<HTMLElement>(null)
  useEffect(() => title.current?.focus(), [])
  return (
    <div class="notice">
      <b tabIndex={-1} ref={title}>
        {t('given.sure')}
      </b>
      <p>{lenders.length > 0 ? t('given.sure.why', { lenders: lenders.join(', ') }) : t('given.sure.why.none')}</p>
      <Actions>
        <Button onClick={onConfirm}>{t('given.yes')}</Button>
        <Button kind="plain" onClick={onCancel}>
          {t('given.no')}
        </Button>
      </Actions>
    </div>
  )
}

page.consents = ConsentsSection
page.withdrawal = Withdrawal
