// The final terms: what changed, all of the cost once more, then to accept with consent or to decline.

import { useSignal } from '@preact/signals'
import { type Change, changesOf } from './changes.ts'
import { Consent } from './field-more.tsx'
import { Actions, Button, Form } from './form.tsx'
import { isWeekly, months, percent, rupees, tenureOf } from './format.ts'
import { here } from './here.ts'
import { Away, lenderOf } from './lender.tsx'
import { UnitsPledged } from './secured.tsx'
import { Terms } from './terms.tsx'
import { language, t } from './text.ts'
import { Title } from './title.tsx'
import { Waiting } from './waiting.tsx'
import { type Wrong, wordsFor } from './wrong.ts'

export function FinalisingScreen() {
  const { selected } = here.view.value
  const { lenderName: lender = '', amount = '0', tenureMonths = 0, terms } = selected ?? {}
  const tenure = terms && isWeekly(terms) ? tenureOf(terms) : months(tenureMonths)
  return (
    <section>
      <Title lead={t('finalising.lead', { amount: rupees(amount), tenure })}>{t('finalising.title', { lender })}</Title>
      <Waiting>{t('step.waiting', { lender })}</Waiting>
    </section>
  )
}

export function FinalOfferScreen() {
  const { session, boot } = here
  const view = here.view.value
  const agreed = useSignal(false)
  const decline = (on: boolean) => () => {
    here.inner.value = on ? 'decline' : ''
  }
  const wrong = useSignal<Wrong>({})
  const attempt = useSignal(0)
  if (!view.selected) return null
  const { terms, offerId, lenderName: lender, changed, branch, pledges } = view.selected
  const path = `/offers/${encodeURIComponent(offerId)}`
  const isLine = terms.creditLine

  async function accept(): Promise<void> {
    if (!agreed.value) {
      wrong.value = { key_facts: '' }
      attempt.value += 1
      return
    }
    const consents = [{ purpose: 'key_facts', textVersion: boot.consentVersion, language: language.value }]
    await session.act({ method: 'POST', path: `${path}/accept`, body: { consents } })
  }

  if (here.inner.value === 'decline')
    return (
      <section key="decline">
        <Title lead={t('final.decline.why')}>{t(isLine ? 'final.decline.title.line' : 'final.decline.title')}</Title>
        <Actions>
          <Button onClick={() => void session.act({ method: 'POST', path: `${path}/decline`, body: {} })}>
            {t('final.decline.yes')}
          </Button>
          <Button kind="plain" onClick={decline(false)}>
            {t('final.decline.no')}
          </Button>
        </Actions>
      </section>
    )
  return (
    <section key="terms">
      <Title lead={t('final.lead')}>{t('final.title', { lender })}</Title>
      <Changes changes={changesOf(view)} changed={changed} />
      <Terms offer={terms} lender={lenderOf(view)} branch={branch} open />
      <UnitsPledged pledges={pledges} />
      <Form wrong={wrong.value} attempt={attempt.value} onSubmit={() => void accept()}>
        <p>
          {t(isLine ? 'final.read.line' : 'final.read')} <Away href={terms.keyFactsStatementUrl}>{t('terms.kfs')}</Away>
        </p>
        <Consent
          name="key_facts"
          checked={agreed.value}
          wrong={wordsFor(wrong.value, 'key_facts')}
          onValue={(on) => {
            agreed.value = on
            wrong.value = {}
          }}
        />
        <Actions>
          <Button submit>{t(isLine ? 'final.accept.line' : 'final.accept')}</Button>
          <Button kind="quiet" onClick={decline(true)}>
            {t('final.decline')}
          </Button>
        </Actions>
      </Form>
    </section>
  )
}

function Changes({ changes, changed }: { changes: Change[]; changed: boolean }) {
  if (changes.length === 0) return changed ? null : <p class="known">{t('final.same')}</p>
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
        {changes.map(({ figure, was, now }) => (
          <tr key={figure}>
            <th scope="row">{t(`terms.${figure}`)}</th>
            <td>{written(figure, was)}</td>
            <td>{written(figure, now)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function written(figure: Change['figure'], value: string): string {
  if (figure === 'tenure') return months(Number(value))
  return figure === 'rate' || figure === 'apr' ? percent(value) : rupees(value)
}
