// The fund statement before the lenders are asked: its content, or fetching one from the registrars.
import { useSignal } from '@preact/signals'
import type { EmbedFunds } from '#contract/hosted/embed-consents.ts'
import { TextField } from '../form/field.tsx'
import { Button } from '../form/form.tsx'
import { here } from '../page/here.ts'
import { openPage } from '../page/open-page.ts'
import { Waiting } from '../page/waiting.tsx'
import { t } from '../text.ts'
import { Pledging, Portfolio } from './funds-held.tsx'

/** The input of another number, and the link to the registrar's page. */
function useFetching() {
  const number = useSignal<string | null>(null)
  const wrong = useSignal(false)
  const blocked = useSignal<string | null>(null)
  async function go(): Promise<void> {
    const { registrar } = here.view.value.funds ?? {}
    const typed = number.value?.trim()
    blocked.value = await openPage('/funds', t('statement.opening', { registrar: registrar ?? '' }), {
      body: typed ? { contactNumber: typed } : {},
      refused(faults) {
        wrong.value = faults.some(({ path }) => path === 'contactNumber')
        if (wrong.value) number.value ??= here.view.value.profile.contactNumber.slice(-10)
      },
    })
  }
  return { number, wrong, blocked, go }
}

export function Statement() {
  const { funds } = here.view.value
  const fetching = useFetching()
  const isOpen = useSignal(false)
  if (!funds) return null
  const { registrar, standing } = funds
  const isListed = standing === 'READY' && !isOpen.value
  const url = fetching.blocked.value
  return (
    <section class="card" aria-label={t('statement.title')}>
      {!isListed && <h2>{t('statement.title')}</h2>}
      {standing === 'PENDING' ? (
        <Pending registrar={registrar} again={() => void fetching.go()} />
      ) : isListed ? (
        <>
          <Portfolio />
          <Pledging />
          <Button
            kind="quiet"
            onClick={() => {
              isOpen.value = true
            }}
          >
            {t('statement.newer')}
          </Button>
        </>
      ) : (
        <Way funds={funds} {...fetching} />
      )}
      {url && (
        <p class="notice">
          {t('step.blocked')}{' '}
          <a href={url} target="_blank" rel="noopener noreferrer">
            {registrar}
          </a>
        </p>
      )}
    </section>
  )
}

function Pending({ registrar, again }: { registrar: string; again(): void }) {
  const look = () => void here.session.act({ method: 'POST', path: '/funds/look', body: {} })
  return (
    <>
      <Waiting>{t('statement.waiting', { registrar })}</Waiting>
      <div class="actions">
        <Button kind="plain" onClick={look}>
          {t('statement.check')}
        </Button>
        <Button kind="quiet" onClick={again}>
          {t('statement.again', { registrar })}
        </Button>
      </div>
    </>
  )
}

type WayProps = ReturnType<typeof useFetching> & { funds: EmbedFunds }

function Way({ funds: { registrar, fault }, number, wrong, go }: WayProps) {
  const { contactNumber } = here.view.value.profile
  return (
    <>
      {fault && (
        <p class="notice" role="alert">
          {t(`statement.${fault}`, { registrar })}
        </p>
      )}
      <p>{t('statement.why', { registrar })}</p>
      <p class="hint">{t('statement.how')}</p>
      {number.value === null ? (
        <>
          <p class="hint">{t('statement.number', { mobile: `+91\u00a0${contactNumber.slice(-10)}` })}</p>
          <Button
            kind="quiet"
            onClick={() => {
              number.value = ''
            }}
          >
            {t('statement.other')}
          </Button>
        </>
      ) : (
        <TextField
          name="fundsNumber"
          value={number.value}
          wrong={wrong.value ? t('wrong.fundsNumber', { registrar }) : undefined}
          onValue={(value) => {
            number.value = value
            wrong.value = false
          }}
          inputMode="numeric"
          autocomplete="tel-national"
          maxLength={16}
        />
      )}
      <Button kind="plain" onClick={() => void go()}>
        {t('statement.fetch')}
      </Button>
      <p class="hint">{t('statement.without')}</p>
    </>
  )
}
