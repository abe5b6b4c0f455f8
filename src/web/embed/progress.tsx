// Where the borrower is on the whole way, from the details to the money.
import { here } from './here.ts'
import { later } from './later.tsx'
import { t, textOf } from './text.ts'

/** Each has a text, `progress.<station>`. */
const usual = ['details', 'offers', 'kyc', 'bank', 'mandate', 'sign', 'money'] as const
export type Station = (typeof usual)[number] | 'visit'

export function Progress() {
  const { state, view } = here.session
  const known = view.value && later.value
  const stations: readonly Station[] = known?.stationsOf(view.value!) ?? usual
  const at = known ? known.stationOf(view.value!) : usual[0]
  if (at === null || (state.value !== 'open' && state.value !== 'opening')) return null
  const index = stations.indexOf(at)
  return (
    <nav aria-label={t('progress.label')}>
      <p>{t('progress.at', { at: index + 1, of: stations.length, name: textOf(`progress.${at}`) })}</p>
      <ol>
        {stations.map((station, i) => (
          <li key={station} class={i < index ? 'done' : ''} aria-current={i === index ? 'step' : undefined}>
            <span>{textOf(`progress.${station}`)}</span>
          </li>
        ))}
      </ol>
    </nav>
  )
}
