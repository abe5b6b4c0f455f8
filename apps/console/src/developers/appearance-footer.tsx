// Below the appearance form: the result of saving, the reset, and what themes cannot change.

import type { ThemeView } from '@lendloom/wire/console/theme'
import { useSignal } from '@preact/signals'
import { remove } from '../api.ts'
import { assign } from '../ui/assign-signal.ts'
import { Trouble } from '../ui/components.tsx'
import { Confirm } from '../ui/dialog.tsx'
import { useAct } from '../ui/form.tsx'

interface ResetProps {
  path: string
  showResult(next: ThemeView, message: string): void
}

export const AppearanceResult = ({
  message,
  mayReset,
  ...reset
}: ResetProps & { message: string; mayReset: boolean }) => (
  <>
    <p role="status" class="good-words">
      {message}
    </p>
    {mayReset && <Reset {...reset} />}
    <div class="rules">
      <h3>What does not change</h3>
      <p class="quiet">
        Lenders’ names, logos, documents and legal texts keep our sizes and colours, because borrowers must see who
        lends. Colours with a meaning, such as red for an error, also stay.
      </p>
    </div>
  </>
)

function Reset({ path, showResult }: ResetProps) {
  const isAsking = useSignal(false)
  const act = useAct()
  const reset = () => {
    isAsking.value = false
    const undo = async () => showResult(await remove<ThemeView>(path), 'The page has the default appearance again.')
    return act.run(undo, () => {})
  }
  return (
    <>
      {act.problem ? <Trouble error={act.problem} /> : null}
      <button type="button" class="secondary" onClick={() => assign(isAsking, true)}>
        Reset to the default appearance
      </button>
      {isAsking.value && (
        <Confirm
          title="Reset to the default appearance?"
          button="Reset the appearance"
          onConfirm={reset}
          onClose={() => assign(isAsking, false)}
        >
          <p>
            This deletes the name, logo, colour, corners and font of this application. Pages opened from now on have the
            default appearance.
          </p>
        </Confirm>
      )}
    </>
  )
}
