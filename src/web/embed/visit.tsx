// Where the gold is brought: the branch, who waits there, and what to bring.
import type { EmbedView } from '#contract/hosted/embed.ts'
import { Branch } from './branches.tsx'
import { t } from './text.ts'

export function Where({ selected: { branch, agent } }: { selected: NonNullable<EmbedView['selected']> }) {
  const { name = '', phone = '' } = agent ?? {}
  if (!branch && !name && !phone) return null
  return (
    <dl class="rows">
      {branch && (
        <>
          <dt>{t('visit.branch')}</dt>
          <dd>
            <Branch branch={branch} />
          </dd>
        </>
      )}
      {(name || phone) && (
        <>
          <dt>{t(name ? 'visit.agent' : 'visit.phone')}</dt>
          <dd>
            {name} {phone && <Call phone={phone} />}
          </dd>
        </>
      )}
    </dl>
  )
}

const Call = ({ phone }: { phone: string }) => (
  <a class="call" href={`tel:${phone.replace(/[^+\d]/g, '')}`}>
    {t('visit.call', { phone })}
  </a>
)

const things = ['gold', 'bills', 'pan', 'address', 'account'] as const

export const Bring = () => (
  <div>
    <h2>{t('visit.bring')}</h2>
    <ul class="bring">
      {things.map((thing) => (
        <li key={thing}>{t(`visit.bring.${thing}`)}</li>
      ))}
    </ul>
  </div>
)
