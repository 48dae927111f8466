from typing import Any
def trace_sweep(scene, solver, before):
    solver.run(1); return {"iteration": solver.iterations, "walks": [], "note": "not yet"}
def trace_walks(scene, solver, engine, visits, before):
    solver.run(1); return {"iteration": solver.iterations, "walks": [], "note": "not yet"}
