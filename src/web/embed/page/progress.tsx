// The borrower's position on the whole way, from details to payout.

import { t, textOf } from '../text.ts'
import { deferred } from './deferred.tsx'
import { here } from './here.ts'
import { type ScreenStep, usual } from './usual-steps.ts'

export function Progress() {
  const { state, view } = here.session
  const { value: shown } = view
  const { value: known } = deferred
  const screenSteps: readonly ScreenStep[] = (shown && known?.screenStepsOf(shown)) ?? usual
  const at = shown && known ? known.screenStepOf(shown, screenSteps) : usual[0]
  if (at === null || (state.value !== 'open' && state.value !== 'opening')) return null
  const index = screenSteps.indexOf(at)
  return (
    <nav aria-label={t('progress.label')}>
      <p>{t('progress.at', { at: index + 1, of: screenSteps.length, name: textOf(`progress.${at}`) })}</p>
      <ol>
        {screenSteps.map((screenStep, i) => (
          <li key={screenStep} class={i < index ? 'done' : ''} aria-current={i === index ? 'step' : undefined}>
            <span>{textOf(`progress.${screenStep}`)}</span>
          </li>
        ))}
      </ol>
    </nav>
  )
}
