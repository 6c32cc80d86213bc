// The page that Prometheus reads. The library behind it is loaded when somebody asks for the first time, so that a server
// which nobody measures starts without it.

import type { Metric as LibraryMetric, Registry } from 'prom-client';
import { ProcessFigures } from '../operator/process-figures.js';
import type { Metric } from './metric.js';
import { METRIC_GROUPS } from './metric-catalog.js';
import type { MetricReading } from './metric-reading.js';
import type { MetricSources } from './metric-sources.js';
import { RegistryFigures } from './registry-figures.js';

/** A page. */
export interface RenderedMetrics {
  readonly contentType: string;
  /** Text format 0.0.4 of Prometheus. */
  readonly text: string;
}

/** Makes pages. */
export class MetricsPage {
  readonly #sources: MetricSources;
  readonly #pause: () => Promise<void>;
  readonly #machine: ProcessFigures;
  #library: Promise<Registry> | undefined;
  #reading: MetricReading | undefined;
  #rendering: Promise<RenderedMetrics> | undefined;

  /** @param pause - ends when others had their turn */
  constructor(sources: MetricSources, pause: () => Promise<void>) {
    this.#sources = sources;
    this.#pause = pause;
    this.#machine = new ProcessFigures(sources.now());
  }

  /** The values of now. Who asks while a page is being made gets that one, so that nobody can make many at once. */
  render(): Promise<RenderedMetrics> {
    this.#rendering ??= this.#render().finally(() => {
      this.#rendering = undefined;
    });
    return this.#rendering;
  }

  async #render(): Promise<RenderedMetrics> {
    this.#library ??= this.#load();
    const registry = await this.#library;
    const figures = await RegistryFigures.take(this.#sources.core, this.#pause);
    const at = this.#sources.now();
    this.#reading = { ...this.#sources, at, registry: figures, machine: this.#machine.read(at) };
    return { contentType: registry.contentType, text: await registry.metrics() };
  }

  async #load(): Promise<Registry> {
    const { Registry } = await import('prom-client');
    const registry = new Registry();
    for (const metric of METRIC_GROUPS.flatMap(({ metrics }) => metrics)) {
      registry.registerMetric(this.#asLibraryMetric(metric));
    }
    return registry;
  }

  /** The library asks a metric for its values with `get`; its own classes would keep a copy of each beside our counters. */
  #asLibraryMetric(metric: Metric): LibraryMetric {
    const { name, type, help, read } = metric;
    const get = async () => ({ name, type, help, aggregator: 'sum', values: this.#valuesOf(metric.name, read) });
    return { name, help, get } as unknown as LibraryMetric;
  }

  #valuesOf(name: string, read: Metric['read']): readonly object[] {
    if (this.#reading === undefined) throw new Error('Metrics are read before a reading was taken');
    return Array.from(read(this.#reading), ({ value, labels = {}, suffix = '' }) => ({
      metricName: name + suffix,
      value,
      labels,
    }));
  }
}
