// Where the gold is brought: the branch, who waits there, and what to bring.
import type { EmbedView } from '#contract/hosted/embed.ts'
import { t } from './text.ts'

const bring = ['gold', 'pan', 'address', 'account'] as const

export function Visit({ selected: { branch, agent } }: { selected: NonNullable<EmbedView['selected']> }) {
  return (
    <>
      {branch && (
        <dl class="rows">
          <div>
            <dt>{t('visit.branch')}</dt>
            <dd>
              {branch.name}
              <br />
              {branch.address} {branch.pincode}
            </dd>
          </div>
          {agent?.name && (
            <div>
              <dt>{t('visit.agent')}</dt>
              <dd>
                {agent.name} {agent.phone && <a href={`tel:${agent.phone.replace(/[^+\d]/g, '')}`}>{agent.phone}</a>}
              </dd>
            </div>
          )}
        </dl>
      )}
      <h2>{t('visit.bring')}</h2>
      <ul>
        {bring.map((thing) => (
          <li key={thing}>{t(`visit.bring.${thing}`)}</li>
        ))}
      </ul>
    </>
  )
}
