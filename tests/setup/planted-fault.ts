// Replaces a text of one source file as it is loaded, for tests that look whether the laws find a fault.
import { registerHooks } from 'node:module'
import fc from 'fast-check'

/** A fault of the product: in the file, `to` takes the place of `from`. */
export interface PlantedFault {
  /** The path of the file in the repository. */
  file: string
  from: string
  to: string
}

/** The variable of the environment that names the fault. */
export const faultVariable = 'LENDLOOM_PLANTED_FAULT'

/** What a process prints when it has planted the fault. */
export const plantedText = 'the fault is planted'

const given = process.env[faultVariable]
if (given) {
  const { file, from, to } = JSON.parse(given) as PlantedFault
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      if (!url.endsWith(`/${file}`)) return loaded
      const source = String(loaded.source)
      if (source.split(from).length !== 2) throw new Error(`${file} must have the text once: ${from}`)
      console.error(plantedText)
      return { ...loaded, source: source.replace(from, () => to) }
    },
  })
  // The first failure is enough: shrinking it takes minutes.
  fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true })
}
