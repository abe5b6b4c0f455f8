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
      <h3>What stays as it is</h3>
      <p class="quiet">
        A lender’s name, logo, documents and legal texts are shown in our sizes and colours, whatever you choose: the
        borrower must see who lends. Colours that mean something, such as red for a mistake, stay too.
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
    const undo = async () => take(await remove<ThemeView>(path), 'The page looks as ours again.')
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
          <p>Name, logo, colour, corners and font of this application are deleted, for pages opened from now on.</p>
        </Confirm>
      )}
    </>
  )
}
