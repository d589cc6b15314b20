/** One run of the benches, as `bench/figures.json` has it. Times are the least CPU times of a run. */
export interface Figures {
  readonly run: {
    readonly date: string;
    readonly commit: string;
    readonly cpu: string;
    readonly cores: number;
    readonly memory: string;
    readonly system: string;
    readonly versions: Readonly<Record<string, string>>;
    /** Processes that wanted a core, in the minute before the run and in its last. */
    readonly load: readonly [number, number];
    /** True for one of few rounds. */
    readonly isQuick: boolean;
  };
  readonly startUp: readonly Start[];
  readonly growth: {
    readonly runtime: string;
    readonly rules: number;
    readonly length: readonly Curve[];
    readonly units: readonly Curve[];
  };
  readonly decisions: readonly Decisions[];
  readonly stdin: readonly {
    readonly name: string;
    /** The calls of the whole stream, and its rate from start to end. */
    readonly calls: number;
    readonly perSecond: number;
    /** The rate of the calls behind the first thousand of 60,000. */
    readonly early: number;
    /** The most memory of the whole stream, and of one of a thousand calls, in MB. */
    readonly peak: number;
    readonly firstPeak: number;
  }[];
  readonly analysis: readonly Analysis[];
}

/** A program from start to exit. */
export interface Start {
  readonly name: string;
  /** The least CPU time, in ms. */
  readonly ms: number;
  /** The name of the program that it is compared with. */
  readonly beside: string;
  /** The multiple of the program beside, and the ms more. */
  readonly ratio: number;
  readonly more: number;
  /** The number of runs, of which the least counts. */
  readonly rounds: number;
  /** The most memory in MB, if it was measured. */
  readonly peak?: number;
}

/** Lines of growing size, in µs a line. */
export interface Curve {
  readonly name: string;
  readonly points: readonly {
    readonly size: number;
    readonly us: number;
    readonly action?: string;
  }[];
}

/** Decisions under one runtime, in µs a call. */
export interface Decisions {
  readonly runtime: string;
  readonly rounds: number;
  /** The parser's time for a line. */
  readonly parser: number;
  readonly ours: readonly {
    readonly rules: number;
    readonly bash: number;
    readonly bashRepeated: number;
    readonly file: number;
    readonly mcp: number;
    /** The multiple of mixed fresh calls with ten rules. */
    readonly growth: number;
  }[];
  readonly peers: readonly Peer[];
}

/** Another engine; the times are multiples of ours for the same calls and rules. */
export interface Peer {
  readonly name: string;
  readonly rules: number;
  readonly fresh: number;
  readonly freshTimes: number;
  readonly repeated: number;
  readonly repeatedTimes: number;
}

export interface Analysis {
  readonly task: string;
  readonly rules: number;
  readonly list: string;
  readonly seconds: number;
  readonly mb: number;
  readonly result: string;
}
