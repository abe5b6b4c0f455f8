// A journey's consents, as a separate chunk: texts, recipients, expiry, and withdrawal.
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type {
  EmbedConsentsReply,
  EmbedGivenConsents,
  EmbedGivenThere,
  GivenConsentView,
} from '#contract/hosted/embed-consents.ts'
import { Actions, Button } from '../form/form.tsx'
import { Away } from '../offers/lender.tsx'
import { moment } from '../page/format.ts'
import { here } from '../page/here.ts'
import { look } from '../page/look.ts'
import { policyUrl } from '../page/policy.ts'
import { t } from '../text.ts'

/** The current consents, and whether loading failed. */
function useGiven() {
  const shown = useSignal<EmbedGivenConsents | null>(null)
  const failed = useSignal(false)
  const load = async (): Promise<void> => {
    const found = await look<EmbedConsentsReply>('/consents')
    failed.value = found === null
    if (found) shown.value = found.consents
  }
  const { version } = here.view.value
  // The journey's progress changes the effect of consents.
  useEffect(() => void load(), [version])
  return { value: shown.value, failed: failed.value, load }
}

function Given({ close }: { close(): void }) {
  const { value, failed, load } = useGiven()
  const asking = useSignal('')
  const top = useRef<HTMLElement>(null)
  useEffect(() => {
    top.current?.focus()
    top.current?.scrollIntoView({ block: 'start' })
  }, [])
  async function withdraw(): Promise<void> {
    await here.session.act({ method: 'POST', path: '/consents/withdraw', body: {} })
    asking.value = ''
    top.current?.focus()
  }
  const setAsking = (id: string) => () => {
    asking.value = id
  }
  return (
    <section class="help" aria-labelledby="given-title" tabIndex={-1} ref={top}>
      <h2 id="given-title">{t('given.title')}</h2>
      <p>{t(value && value.given.length === 0 ? 'given.none' : 'given.lead')}</p>
      {failed && <Failed again={() => void load()} />}
      {value?.given.map((each) => (
        <One
          key={each.id}
          consent={each}
          isAsking={asking.value === each.id}
          ask={setAsking(each.id)}
          yes={() => void withdraw()}
          no={setAsking('')}
        />
      ))}
      {value?.atAggregator.map((each) => (
        <There key={each.givenAt} consent={each} />
      ))}
      {value?.atRegistrar && <Fetched {...value.atRegistrar} />}
      <p>
        <Away href={policyUrl()}>{t('given.policy')}</Away>
      </p>
      <Actions>
        <Button kind="quiet" onClick={close}>
          {t('given.close')}
        </Button>
      </Actions>
    </section>
  )
}

const Failed = ({ again }: { again(): void }) => (
  <div class="notice" role="alert">
    <p>{t('given.failed')}</p>
    <Button kind="plain" onClick={again}>
      {t('trouble.again')}
    </Button>
  </div>
)

interface OneProps extends SureProps {
  isAsking: boolean
  ask(): void
}

const One = ({ consent, isAsking, ask, yes, no }: OneProps) => (
  <article class="card" aria-labelledby={`given-${consent.id}`}>
    <h3 id={`given-${consent.id}`}>{t(`given.${consent.purpose}`)}</h3>
    <q lang={consent.language}>{consent.text}</q>
    <Facts consent={consent} />
    {consent.standing !== 'ENDS' ? (
      <p class="hint">{t(`given.${consent.standing}.why`)}</p>
    ) : isAsking ? (
      <Sure consent={consent} yes={yes} no={no} />
    ) : (
      <Button kind="plain" onClick={ask}>
        {t('given.withdraw')}
      </Button>
    )}
  </article>
)

const There = ({ consent: { aggregator, lender, givenAt } }: { consent: EmbedGivenThere }) => (
  <article class="card">
    <h3>{t('given.there')}</h3>
    <p>{t('given.there.why', { aggregator, lender })}</p>
    <p class="hint">{moment(givenAt)}</p>
  </article>
)

/** Loaded once. */
const Fetched = (from: NonNullable<EmbedGivenConsents['atRegistrar']>) => (
  <article class="card">
    <h3>{t('given.funds')}</h3>
    <p>{t('given.funds.why', from)}</p>
    <p class="hint">{moment(from.givenAt)}</p>
  </article>
)

const Facts = ({
  consent: { givenAt, textVersion, lenders, standing, until, withdrawnAt },
}: {
  consent: GivenConsentView
}) => (
  <dl class="rows">
    <dt>{t('given.when')}</dt>
    <dd>{moment(givenAt)}</dd>
    <dt>{t('given.version')}</dt>
    <dd>{textVersion}</dd>
    <dt>{t('given.to')}</dt>
    <dd>{lenders.join(', ') || t('given.to.none')}</dd>
    <dt>{t('given.until')}</dt>
    <dd>
      {standing === 'ENDS' || standing === 'WITHDRAWN'
        ? t(`given.until.${standing}`, { date: moment((standing === 'ENDS' ? until : withdrawnAt) ?? '') })
        : t(`given.until.${standing}`)}
    </dd>
  </dl>
)

interface SureProps {
  consent: GivenConsentView
  yes(): void
  no(): void
}

/** A second thought, with what it means and who has received something already. */
function Sure({ consent: { lenders }, yes, no }: SureProps) {
  const title = useRef<HTMLElement>(null)
  useEffect(() => title.current?.focus(), [])
  return (
    <div class="notice">
      <b tabIndex={-1} ref={title}>
        {t('given.sure')}
      </b>
      <p>{lenders.length > 0 ? t('given.sure.why', { lenders: lenders.join(', ') }) : t('given.sure.why.none')}</p>
      <Actions>
        <Button onClick={yes}>{t('given.yes')}</Button>
        <Button kind="plain" onClick={no}>
          {t('given.no')}
        </Button>
      </Actions>
    </div>
  )
}

here.given = Given
