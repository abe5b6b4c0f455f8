// The branches that take gold in: how far they are, and the choice of one.
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { EmbedBranch } from '#contract/hosted/embed.ts'
import { type Common, Group, idOf } from './field.tsx'
import { t } from './text.ts'

/** How many are shown before the borrower asks for all. */
const few = 5

/** As far as one goes to bring gold: only such a branch is chosen before the borrower has chosen. */
const nearKm = 50
export const isNear = ({ aboutKm }: EmbedBranch): boolean => aboutKm !== null && aboutKm <= nearKm

/** How many there are, and how far the nearest is: they come nearest first. */
export function summaryOf(branches: EmbedBranch[]): string {
  const km = branches[0]?.aboutKm ?? null
  const count = branches.length
  if (km === null) return t('branch.count', { count })
  return km === 0 ? t('branch.count.here', { count }) : t('branch.count.far', { count, km })
}

export function BranchField({
  branches,
  ...field
}: Pick<Common, 'value' | 'wrong' | 'onValue'> & { branches: EmbedBranch[] }) {
  const name = 'branchID'
  const all = useSignal(false)
  // A button that would bring one branch only is no shorter than the branch.
  const short = !all.value && branches.length > few + 1
  const firstHidden = `${idOf(name)}-${few}`
  // The button goes away when it is pressed: the focus moves on to what it has brought.
  useEffect(() => {
    if (all.value) document.getElementById(firstHidden)?.focus()
  }, [all.value])
  return (
    <Group name={name} wrong={field.wrong}>
      <div class="branches">
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
            <Branch branch={branch} />
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
    </Group>
  )
}

/** Name and distance, then the address. */
export function Branch({ branch: { name, address, pincode, aboutKm } }: { branch: EmbedBranch }) {
  return (
    <span class="branch">
      <b>{name}</b>{' '}
      {aboutKm !== null && <small>{aboutKm === 0 ? t('branch.here') : t('branch.far', { km: aboutKm })}</small>}
      <span>
        {address}
        {pincode && !address.includes(pincode) && `${address && ', '}${t('branch.pin', { pin: pincode })}`}
      </span>
    </span>
  )
}
