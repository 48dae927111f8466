"""Auditing: is every estimator unbiased, how much does it vary, what does it cost? (`mccfr.audit` is the way in.)"""
