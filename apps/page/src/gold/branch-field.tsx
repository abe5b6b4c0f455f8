// Choice of the branch for the gold: nearest first, with the travel time by road.

import { Icon } from '@lendloom/design/icon'
import { warning } from '@lendloom/design/icons'
import type { EmbedBranch } from '@lendloom/wire/hosted/embed-lender'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Group, idOf } from '../form/field.tsx'
import { Branch, isFar } from '../offers/branches.tsx'
import { units, withUnit } from '../page/format.ts'
import type { BranchesProps } from '../page/page-state.ts'
import { t } from '../text.ts'
import { minutesByRoad } from './gold-value.ts'

/** Branches shown before the borrower opens the whole list. */
const initialCount = 5

/** The rough travel time, such as `about 2 hours by road`; from one day on, a text without a figure. */
function byRoad(km: number): string {
  const minutes = minutesByRoad(km)
  if (minutes >= 24 * 60) return t('branch.road.day')
  const [count, unit] = minutes < 60 ? [minutes, 'minute'] : [minutes / 60, 'hour']
  return t('branch.road', { time: withUnit(count, unit) })
}

const roadTo = ({ aboutKm }: EmbedBranch): string => (aboutKm ? byRoad(aboutKm) : '')

export function BranchField({ branches, ...field }: BranchesProps) {
  const name = 'branchID'
  const nearestKm = branches[0]?.aboutKm ?? null
  const showsAll = useSignal(false)
  // A button that hides a single branch would save no space.
  const isShortened = !showsAll.value && branches.length > initialCount + 1
  const firstHidden = `${idOf(name)}-${initialCount}`
  // The pressed button disappears, so the focus moves to the first new branch.
  useEffect(() => {
    if (showsAll.value) document.getElementById(firstHidden)?.focus()
  }, [showsAll.value])
  return (
    <Group name={name} error={field.error}>
      <div class="branches">
        {nearestKm !== null && isFar(branches) && (
          <p class="far">
            <Icon path={warning} /> {t('branch.distant', { km: units(`${nearestKm}`) })}
          </p>
        )}
        {branches.slice(0, isShortened ? initialCount : undefined).map((branch, i) => (
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
        {isShortened && (
          <button
            type="button"
            class="quiet"
            onClick={() => {
              showsAll.value = true
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
