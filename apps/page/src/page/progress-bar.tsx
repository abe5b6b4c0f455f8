// Progress bar from the details to the payout.

import type { Screen } from '@lendloom/wire/hosted/embed-view'
import { part } from '../profile/profile-form.ts'
import { t, textOf } from '../text.ts'
import { deferred } from './deferred-content.tsx'
import { page } from './page-state.ts'
import { type ScreenStep, usualSteps } from './progress-steps.ts'

export function Progress() {
  const { state, view } = page.session
  const { value: currentView } = view
  const { value: screens } = deferred
  const screenSteps: readonly ScreenStep[] = (currentView && screens?.screenStepsOf(currentView)) ?? usualSteps
  const currentStep =
    currentView && screens
      ? screens.screenStepOf(currentView, screenSteps)
      : page.boot.isFormSent
        ? null
        : usualSteps[0]
  if (currentStep === null || (state.value !== 'open' && state.value !== 'opening')) return null
  const index = screenSteps.indexOf(currentStep)
  const nameOf = (step: ScreenStep) =>
    step === 'bank' && step === currentStep && awaitsTerms.has(currentView?.screen) ? 'final' : step
  return (
    <nav aria-label={t('progress.label')}>
      <p>
        {t('progress.at', { at: index + 1, of: screenSteps.length, name: textOf(`progress.${nameOf(currentStep)}`) })}
      </p>
      <ol>
        {screenSteps.map((screenStep, i) => (
          <li
            key={screenStep}
            class={i < index ? 'done' : i === index ? partOf(screenStep) : ''}
            aria-current={i === index ? 'step' : undefined}
          >
            <span>{textOf(`progress.${nameOf(screenStep)}`)}</span>
          </li>
        ))}
      </ol>
    </nav>
  )
}

/** A lending partner makes its final offer once it has the account (D3 §2.3): the step is then named after the offer. */
const awaitsTerms = new Set<Screen | undefined>(['FINALISING', 'FINAL_OFFER'])

/** The class that fills the bar of the details by the parts of their form. */
const partOf = (screenStep: ScreenStep): string => (screenStep === 'details' ? `part-${part.value}` : '')
