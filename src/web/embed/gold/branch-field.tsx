// The choice of the branch that the gold is brought to: nearest first, with the time by road.
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { EmbedBranch } from '#contract/hosted/embed.ts'
import { localeOf } from '#contract/language.ts'
import { Group, idOf } from '../form/field.tsx'
import { Branch, isFar } from '../offers/branches.tsx'
import type { BranchesProps } from '../page/here.ts'
import { language, t } from '../text.ts'
import { minutesByRoad } from './gold-value.ts'

/** How many are shown before the borrower asks for all. */
const few = 5

/** The rough travel time, as `about 2 hours by road`; not given for a way of days. */
function byRoad(km: number): string {
  const minutes = minutesByRoad(km)
  if (minutes >= 24 * 60) return t('branch.road.day')
  const [count, unit] = minutes < 60 ? [minutes, 'minute'] : [minutes / 60, 'hour']
  const format = new Intl.NumberFormat(localeOf(language.value), { style: 'unit', unit, unitDisplay: 'long' })
  return t('branch.road', { time: format.format(count) })
}

const roadTo = ({ aboutKm }: EmbedBranch): string => (aboutKm ? byRoad(aboutKm) : '')

export function BranchField({ branches, ...field }: BranchesProps) {
  const name = 'branchID'
  const nearest = branches[0]?.aboutKm ?? null
  const all = useSignal(false)
  // A button for one more branch is as long as the branch.
  const short = !all.value && branches.length > few + 1
  const firstHidden = `${idOf(name)}-${few}`
  // The pressed button disappears: focus moves to the new branches.
  useEffect(() => {
    if (all.value) document.getElementById(firstHidden)?.focus()
  }, [all.value])
  return (
    <Group name={name} wrong={field.wrong}>
      <div class="branches">
        {nearest !== null && isFar(branches) && (
          <p class="notice news">{t('branch.distant', { km: nearest, road: byRoad(nearest) })}</p>
        )}
        {branches.slice(0, short ? few : undefined).map((branch, i) => (
          <label class="choice" key={branch.id}>
            <input
              id={i === 0 ? idOf(name) : `${idOf(name)}-${i}`}
              type="radio"
              name={name}
              value={branch.id}
              checked={branch.id === field.value}
              onChange={() => field.onValue(branch.id)}
            />
            <Branch branch={branch} road={roadTo(branch)} />
          </label>
        ))}
        {short && (
          <button
            type="button"
            class="quiet"
            onClick={() => {
              all.value = true
            }}
          >
            {t('branch.all', { count: branches.length })}
          </button>
        )}
      </div>
      <p class="hint">{t('branch.book')}</p>
    </Group>
  )
}
