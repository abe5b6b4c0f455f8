// What the command line may do with the figures of the overview, and journeys without a next act.
export { windowOf } from '#platform/figures/read/window.ts'
export { rebuild } from '#platform/figures/rebuild.ts'
export { listStalledForAMinute } from '#platform/figures/stalled-journeys.ts'
export { readProgress } from '#platform/figures/store.ts'
