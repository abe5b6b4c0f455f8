// The holdings of a borrower of a loan against mutual funds, and the meaning of a pledge.

import { rupees } from '../page/format.ts'
import { page } from '../page/page-state.ts'
import { t } from '../text.ts'
import { allocationOf, totalOf } from './fund-allocation.ts'

const inRupees = (paise: bigint): string => rupees(String(paise / 100n))

/** The statement's funds by kind; nothing without a statement. */
export function Portfolio() {
  const { holdings } = page.view.value
  const parts = allocationOf(holdings)
  if (parts.length === 0) return null
  const free = totalOf(holdings, 'free')
  return (
    <section aria-labelledby="held">
      <h2 id="held">{t('funds.held')}</h2>
      <dl class="figures">
        <div class="lead-figure">
          <dt>{t('funds.worth')}</dt>
          <dd>{inRupees(totalOf(holdings))}</dd>
        </div>
        <div class="lead-figure">
          <dt>{t('funds.free')}</dt>
          <dd>{inRupees(free)}</dd>
        </div>
      </dl>
      <ul class="all">
        {parts.map(({ kind, worth, share }) => (
          <li key={kind}>
            <div class="ends">
              <b>{t(`funds.kind.${kind}`)}</b>
              <span>
                {inRupees(worth)} · {share / 10}%
              </span>
            </div>
            <div class="bar" aria-hidden="true">
              <div style={{ width: `${share / 10}%` }} />
            </div>
          </li>
        ))}
      </ul>
      <p class="hint">{t('funds.held.why')}</p>
    </section>
  )
}

const meanings = ['yours', 'locked', 'call', 'sale', 'end'] as const

/** Explains what a pledge means. */
export const Pledging = () => (
  <details>
    <summary>{t('pledging.title')}</summary>
    <ul class="bring">
      {meanings.map((meaning) => (
        <li key={meaning}>{t(`pledging.${meaning}`)}</li>
      ))}
    </ul>
  </details>
)
