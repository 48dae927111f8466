// How long the page takes per animation frame: measured, so that "responsive" is a number.

export class FrameClock {
  constructor() {
    this.gaps = [];
    this.last = null;
    const tick = (now) => {
      if (this.last !== null) this.gaps.push(now - this.last);
      if (this.gaps.length > 240) this.gaps.splice(0, 120);
      this.last = now;
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  /** The time between frames that p of the last frames kept. */
  quantile(p) {
    if (!this.gaps.length) return 0;
    const sorted = [...this.gaps].sort((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.floor(p * sorted.length))];
  }
}
