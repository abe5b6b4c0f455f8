// What the command line may do with the figures of the overview, and journeys without a next act.
export { windowOf } from '#platform/records/figures/read/window.ts'
export { rebuildFigures } from '#platform/records/figures/rebuild-figures.ts'
export { listStalledForAMinute } from '#platform/records/figures/stalled-journeys.ts'
export { readProgress } from '#platform/records/figures/store.ts'
