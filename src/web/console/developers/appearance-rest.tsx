// Below the appearance form: the result, the reset to the default look, and the limits of themes.
import { useSignal } from '@preact/signals'
import type { ThemeView } from '#contract/console/theme.ts'
import { remove } from '../api.ts'
import { assign } from '../ui/assign.ts'
import { Confirm } from '../ui/dialog.tsx'
import { useAct } from '../ui/form.tsx'
import { Trouble } from '../ui/parts.tsx'

interface ResetProps {
  path: string
  take(next: ThemeView, words: string): void
}

export const Rest = ({ words, mayReset, ...reset }: ResetProps & { words: string; mayReset: boolean }) => (
  <>
    <p role="status" class="good-words">
      {words}
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

/** Resets the look after a confirmation. */
function Reset({ path, take }: ResetProps) {
  const isAsking = useSignal(false)
  const act = useAct()
  const reset = () => {
    isAsking.value = false
    const undo = async () => take(await remove<ThemeView>(path), 'The page has the default look again.')
    return act.run(undo, () => {})
  }
  return (
    <>
      {act.problem ? <Trouble error={act.problem} /> : null}
      <button type="button" class="secondary" onClick={() => assign(isAsking, true)}>
        Back to the default look
      </button>
      {isAsking.value && (
        <Confirm
          title="Back to the default look?"
          button="Use the default look"
          onConfirm={reset}
          onClose={() => assign(isAsking, false)}
        >
          <p>
            This deletes the name, logo, colour, corners and font of this application, for pages opened from now on.
          </p>
        </Confirm>
      )}
    </>
  )
}
