// A list of boxes to tick, of which several may be chosen.

interface TicksProps {
  options: readonly (readonly [value: string, text: string])[]
  chosen: readonly string[]
  /** `nested`: below the choice to which the boxes belong; `wide`: each on a line of its own. */
  kind: 'nested' | 'wide'
  onChoose(chosen: string[]): void
}

/** The chosen values are in the order in which they were ticked. */
export const Ticks = ({ options, chosen, kind, onChoose }: TicksProps) => (
  <div class={`ticks ${kind}`}>
    {options.map(([value, text]) => (
      <label key={value}>
        <input
          type="checkbox"
          checked={chosen.includes(value)}
          onChange={(event) =>
            onChoose(event.currentTarget.checked ? [...chosen, value] : chosen.filter((each) => each !== value))
          }
        />{' '}
        {text}
      </label>
    ))}
  </div>
)
